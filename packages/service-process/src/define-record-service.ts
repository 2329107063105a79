import { LogMaintenance, logRetentionShape } from "@storefront/change-feed";
import type { LogRetention } from "@storefront/change-feed";
import type { ServiceName } from "@storefront/process";
import { migrationCheck } from "@storefront/database";
import type { MigrationSource } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import type { ProvidedService } from "@storefront/rpc";
import { defineService } from "./define-service.ts";
import type { ServiceDefinition, ServiceDependencies, ServiceParts } from "./service-definition.ts";

/** What the handlers of a service are made of; its database says in the contract's words why it failed. */
export type RouteDependencies = Omit<ServiceDependencies, "logger">;

/** What makes a service that owns records another than the others that do. */
export interface RecordServiceSpecification {
  name: ServiceName;
  /** Where its tables come from, with those of its change log. */
  migrations: MigrationSource;
  /** Every service that it provides, with its handlers. */
  routes: (dependencies: RouteDependencies) => readonly ProvidedService[];
}

/** A service that owns records, for its process. */
export interface RecordServiceDefinition extends ServiceDefinition<ServiceName> {
  /** Composes it; in the background it maintains its log by `retention`. */
  readonly create: (dependencies: ServiceDependencies, retention?: LogRetention) => ServiceParts;
}

/** Defines a service that owns records and logs every write of them. */
export function defineRecordService(
  specification: RecordServiceSpecification,
): RecordServiceDefinition {
  const { name, migrations, routes } = specification;
  const create: RecordServiceDefinition["create"] = ({ logger, ...dependencies }, retention) => {
    const { database } = dependencies;
    const maintenance = new LogMaintenance({
      database,
      schema: migrations.schema,
      retention,
      logger,
    });
    return {
      services: routes({ ...dependencies, database: withServiceErrors(database) }),
      readiness: { database: migrationCheck(database, migrations, logger) },
      start: () => maintenance.start(),
      close: () => maintenance.close(),
    };
  };
  const definition = defineService({
    name,
    migrations,
    shape: logRetentionShape,
    rules: [],
    waitsForImports: false,
    create,
  });
  return { ...definition, create };
}
