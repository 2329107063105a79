import type { Environment } from "@storefront/config";
import { migrate, openDatabase } from "@storefront/database";
import { createLogger } from "@storefront/telemetry";
import { databaseUrlOf } from "./data-directory.ts";
import { serviceNames } from "./service-names.ts";
import { migrationsOf } from "./services.ts";
import { stackSettingsOf } from "./stack-settings.ts";

/**
 * Applies every service's pending migrations.
 *
 * @returns names of the migrations applied now, by service.
 * @throws DatabaseSetupError or DatabaseUnavailableError.
 */
export async function runMigrate(
  dataDirectory: string,
  env: Environment,
): Promise<Record<string, string[]>> {
  const { databaseDriver, logLevel } = stackSettingsOf(env);
  const logger = createLogger({
    service: "migrate",
    level: logLevel,
    destination: process.stderr,
  });
  const database = await openDatabase({
    url: databaseUrlOf(dataDirectory, env),
    ...(databaseDriver === undefined ? {} : { driver: databaseDriver }),
    applicationName: "storefront-migrate",
    logger,
  });
  try {
    const applied: Record<string, string[]> = {};
    for (const name of serviceNames) {
      ({ applied: applied[name] } = await migrate(database, migrationsOf[name]));
    }
    return applied;
  } finally {
    await database.close();
  }
}
