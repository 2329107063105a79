import { LogMaintenance, logRetentionShape } from "@storefront/change-feed";
import type { LogRetention } from "@storefront/change-feed";
import type { ServiceName } from "@storefront/process";
import { migrationCheck } from "@storefront/database";
import type { MigrationSource } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import type { ProvidedService } from "@storefront/rpc";
import { defineService } from "./define-service.ts";
import type { ServiceDefinition, ServiceDependencies, ServiceParts } from "./service-definition.ts";

/** Dependencies of the handlers of a service; its database fails with the contract's errors. */
export type RouteDependencies = Omit<ServiceDependencies, "logger">;

/** The specific parts of a service that owns records. */
export interface RecordServiceSpecification {
  name: ServiceName;
  /** Migrations of its tables, with those of its change log. */
  migrations: MigrationSource;
  /** Every service that it provides, with its handlers. */
  routes: (dependencies: RouteDependencies) => readonly ProvidedService[];
}

/** A service that owns records, for its process. */
export interface RecordServiceDefinition extends ServiceDefinition<ServiceName> {
  /** Creates it; in the background it maintains its log by `retention`. */
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
