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

/** What every service is made of. */
export interface ServiceDependencies {
  /** Has the service's own schema, migrated or about to be before the first call; other services may share it. */
  database: Database;
  logger: Logger;
  /** Where the service reports what it does; default nowhere. */
  metrics?: Metrics | undefined;
  /** One of them is asked of every call that writes or exports. */
  ingestTokens: readonly string[];
}

/** What a service that follows others is made of. */
export interface FollowerDependencies<
  Followed extends ServiceName = ServiceName,
> extends ServiceDependencies {
  /** How a service that this one follows is called. The caller closes it, last. */
  transportTo: (service: Followed) => Transport;
}

/** A service ready to be served. */
export interface ServiceParts {
  readonly services: readonly ProvidedService[];
  /** Each rejects while the service cannot serve. */
  readonly readiness: ReadinessChecks;
  /** Begins its background work; called once it is served over a database that is migrated. */
  start(): void;
  /** Ends that, after its running transactions; called between the end of its server and that of its database. */
  close(): Promise<void>;
}

/** What a process of one service runs with. */
export interface ServiceOptions<Name extends ServerName = ServerName>
  extends ProcessOptions, ServicePorts {
  name: Name;
  /** Longest that closing may take, in milliseconds. */
  closeTimeoutMs: number;
  /** Undefined traces nothing. */
  tracing: TracingOptions | undefined;
  /** Its certificate and authorities, and those of its callers; undefined where nothing speaks TLS. */
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
  /** Where its tables come from. */
  readonly migrations: MigrationSource;
  /** Schemas of its environment variables, by their names. */
  readonly variables: ReturnType<typeof variablesIn>;
  /** How its database is reached, for migrations. @throws ConfigError naming all that is wrong. */
  readonly databaseOf: (env: Environment) => DatabaseOptions;
  /** What a process of it runs with. @throws ConfigError naming all that is wrong. */
  readonly optionsOf: (env: Environment) => ServiceOptions<Name>;
}

/** What makes a service another than the rest. */
export interface ServiceSpecification<Shape extends z.ZodRawShape, Name extends ServerName> {
  name: Name;
  migrations: MigrationSource;
  /** Variables that no other service has, and rules over them. */
  shape: Shape;
  rules: readonly EnvironmentRule[];
  /** Whether some of its calls need INGEST_TOKEN; default yes. */
  hasIngest?: boolean;
  /**
   * Whether its background work starts when imports of the start are stored, as indexing does: on
   * PGlite, which has one connection, indexing meanwhile would double the time of both.
   */
  waitsForImports: boolean;
  create: (
    dependencies: FollowerDependencies,
    settings: z.output<z.ZodObject<Shape>>,
  ) => ServiceParts;
}
