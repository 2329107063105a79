import type { Environment } from "@storefront/config";
import { migrate, openDatabase } from "@storefront/database";
import type { Database, MigrationOutcome } from "@storefront/database";
import { createLogger } from "@storefront/telemetry";
import { serviceDatabaseUrlOf } from "./data-directory.ts";
import type { ServiceName } from "./service-names.ts";
import { migrationsOf } from "./services.ts";
import { stackSettingsOf } from "./stack-settings.ts";

/** What is to be migrated. */
export interface MigrateParameters {
  services: readonly ServiceName[];
  dataDirectory: string;
  env: Environment;
  /** Told once what a service's migration waits for. */
  onWait: (service: ServiceName, reason: string) => void;
}

/**
 * Applies the pending migrations of some services, each in its own database.
 *
 * @throws DatabaseSetupError or DatabaseUnavailableError.
 */
export async function runMigrate(
  parameters: MigrateParameters,
): Promise<Map<ServiceName, MigrationOutcome>> {
  const { services, dataDirectory, env, onWait } = parameters;
  const { databaseDriver: driver, logLevel: level } = stackSettingsOf(env);
  const logger = createLogger({ service: "migrate", level, destination: process.stderr });
  const applicationName = "storefront-migrate";
  const databases = new Map<string, Database>();
  try {
    const outcomes = new Map<ServiceName, MigrationOutcome>();
    for (const service of services) {
      const url = serviceDatabaseUrlOf(service, dataDirectory, env);
      const database =
        databases.get(url) ?? (await openDatabase({ url, driver, applicationName, logger }));
      databases.set(url, database);
      const options = { onWait: (reason: string) => onWait(service, reason) };
      outcomes.set(service, await migrate(database, migrationsOf[service], options));
    }
    return outcomes;
  } finally {
    for (const database of databases.values()) await database.close();
  }
}
