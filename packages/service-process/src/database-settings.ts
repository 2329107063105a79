import type { EnvironmentRule } from "@storefront/process";
import { databaseShape, driverOf, zDriver } from "@storefront/database";
import type { DatabaseOptions } from "@storefront/database";
import { z } from "zod";

/**
 * The rule that there is a driver for the URL of a database.
 *
 * @param ownVariable the variable of the service's own database, which overrides DATABASE_URL
 */
export function databaseUrlRule(ownVariable: string): EnvironmentRule {
  return (given) => {
    const variable = given[ownVariable] === undefined ? "DATABASE_URL" : ownVariable;
    const url = given[variable];
    const driver = zDriver.safeParse(given["DATABASE_DRIVER"]).data;
    return url === undefined || driverOf(url, driver) !== undefined
      ? undefined
      : {
          variable,
          rule: "must start with pglite:, postgres:// or neon://, and suit DATABASE_DRIVER",
        };
  };
}

const zDatabase = z.object({ ...databaseShape, ownUrl: z.string().optional() });

/** The options of a service's own database, or of the shared one. */
export function databaseSettingsOf(config: z.output<typeof zDatabase>): DatabaseOptions {
  const { ownUrl, databaseUrl, ...options } = config;
  const url = ownUrl ?? databaseUrl;
  if (url === undefined) throw new TypeError("The rules let no configuration without a URL pass.");
  return { ...options, url };
}
