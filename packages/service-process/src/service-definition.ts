import type { Transport } from "@connectrpc/connect";
import type {
  Environment,
  EnvironmentRule,
  Logger,
  Metrics,
  ProcessOptions,
  ServerName,
  ServerTlsOptions,
  ServiceName,
  ServicePorts,
  TracingOptions,
  variablesIn,
} from "@storefront/process";
import type { Database, DatabaseOptions, MigrationSource } from "@storefront/database";
import type { ProvidedService, ReadinessChecks } from "@storefront/rpc";
import type { z } from "zod";

/** Dependencies of every service. */
export interface ServiceDependencies {
  /** Has the service's own schema, migrated before the first call; other services may share it. */
  database: Database;
  logger: Logger;
  /** Registry for the service's metrics; default none. */
  metrics?: Metrics | undefined;
  /** Every call that writes or exports must carry one of them. */
  ingestTokens: readonly string[];
}

/** Dependencies of a service that follows others. */
export interface FollowerDependencies<
  Followed extends ServiceName = ServiceName,
> extends ServiceDependencies {
  /** Transport to a service that this one follows. The caller closes it, last. */
  transportTo: (service: Followed) => Transport;
}

/** A service ready to be served. */
export interface ServiceParts {
  readonly services: readonly ProvidedService[];
  /** Each rejects while the service cannot serve. */
  readonly readiness: ReadinessChecks;
  /** Begins its background work; called once it is served over a database that is migrated. */
  start(): void;
  /** Ends its background work, after running transactions; called after the server and before the database is closed. */
  close(): Promise<void>;
}

/** Options of a process of one service. */
export interface ServiceOptions<Name extends ServerName = ServerName>
  extends ProcessOptions, ServicePorts {
  name: Name;
  /** Longest time to close, in milliseconds. */
  closeTimeoutMs: number;
  /** Undefined for no traces. */
  tracing: TracingOptions | undefined;
  /** Its certificate and authorities, and those of its callers; undefined without TLS. */
  tls: ServerTlsOptions | undefined;
  database: DatabaseOptions;
  ingestTokens: readonly string[];
  /** Base URLs of the Connect ports of the services that it follows, by their names. */
  followed: Readonly<Record<string, string>>;
  create: (dependencies: FollowerDependencies) => ServiceParts;
  waitsForImports: boolean;
}

/** A service, for its process. */
export interface ServiceDefinition<Name extends ServerName = ServerName> {
  readonly name: Name;
  /** Migrations of its tables. */
  readonly migrations: MigrationSource;
  /** Schemas of its environment variables, by their names. */
  readonly variables: ReturnType<typeof variablesIn>;
  /** Options of its database, for migrations. @throws ConfigError naming all wrong variables. */
  readonly databaseOf: (env: Environment) => DatabaseOptions;
  /** Options of its process. @throws ConfigError naming all wrong variables. */
  readonly optionsOf: (env: Environment) => ServiceOptions<Name>;
}

/** The specific parts of a service. */
export interface ServiceSpecification<Shape extends z.ZodRawShape, Name extends ServerName> {
  name: Name;
  migrations: MigrationSource;
  /** Variables that no other service has, and rules over them. */
  shape: Shape;
  rules: readonly EnvironmentRule[];
  /** Whether some of its calls need INGEST_TOKEN; default yes. */
  hasIngest?: boolean;
  /**
   * Whether its background work starts after the imports of the start are stored, such as indexing: on PGlite,
   * which has one connection, concurrent indexing would double the time of both.
   */
  waitsForImports: boolean;
  create: (
    dependencies: FollowerDependencies,
    settings: z.output<z.ZodObject<Shape>>,
  ) => ServiceParts;
}
