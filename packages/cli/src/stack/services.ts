import { createLogger, parseEnvironment, serviceNames, zLogLevel } from "@storefront/process";
import type { Environment, ServerName } from "@storefront/process";
import { migrate, openDatabase } from "@storefront/database";
import type { Database, MigrationOutcome } from "@storefront/database";
import type { ServiceDefinition } from "@storefront/service-process";
import { z } from "zod";
import { databaseUrlOf } from "./data-directory.ts";

const definitions: Readonly<Record<ServerName, () => Promise<ServiceDefinition>>> = {
  catalog: async () => (await import("@storefront/service-catalog")).catalogService,
  pricing: async () => (await import("@storefront/service-pricing")).pricingService,
  reviews: async () => (await import("@storefront/service-reviews")).reviewsService,
  changelog: async () => (await import("@storefront/service-changelog")).changelogService,
  search: async () => (await import("@storefront/service-search")).searchService,
  webhooks: async () => (await import("@storefront/service-webhooks")).webhooksService,
};

/** Loads only the code of one service. */
export async function loadService(name: ServerName): Promise<ServiceDefinition> {
  return await definitions[name]();
}

/** Loads these services; default every one, in the order of their start. */
export async function loadServices(
  names: readonly ServerName[] = serviceNames,
): Promise<ServiceDefinition[]> {
  return await Promise.all(names.map(loadService));
}

interface MigrateParameters {
  services: readonly ServerName[];
  dataDirectory: string;
  env: Environment;
  /** Called once when a service's migration waits. */
  onWait: (service: ServerName, reason: string) => void;
}

const applicationName = "storefront-migrate";

/** One has the lock against other migrators, one builds an index. */
const maxConnections = 2;

const zMigrate = z.object({ logLevel: zLogLevel.default("warn") });

/**
 * Applies the pending migrations of some services, each in its own database.
 *
 * @throws ConfigError, DatabaseSetupError or DatabaseUnavailableError.
 */
export async function runMigrate(
  parameters: MigrateParameters,
): Promise<Map<ServerName, MigrationOutcome>> {
  const { services: names, dataDirectory, onWait } = parameters;
  const env = { ...parameters.env, DATABASE_URL: databaseUrlOf(dataDirectory, parameters.env) };
  const [{ logLevel: level }] = parseEnvironment([zMigrate], env);
  const logger = createLogger({ service: "migrate", level, destination: process.stderr });
  const databases = new Map<string, Database>();
  try {
    const outcomes = new Map<ServerName, MigrationOutcome>();
    for (const { name, migrations, databaseOf } of await loadServices(names)) {
      const settings = databaseOf(env);
      const database =
        databases.get(settings.url) ??
        (await openDatabase({ ...settings, maxConnections, applicationName, logger }));
      databases.set(settings.url, database);
      const options = { onWait: (reason: string) => onWait(name, reason) };
      outcomes.set(name, await migrate(database, migrations, options));
    }
    return outcomes;
  } finally {
    for (const database of databases.values()) await database.close();
  }
}
