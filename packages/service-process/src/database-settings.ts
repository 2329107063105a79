import { zInteger, zMilliseconds } from "@storefront/process";
import type { EnvironmentRule } from "@storefront/process";
import { driverOf } from "@storefront/database";
import type { DatabaseOptions } from "@storefront/database";
import { z } from "zod";

const zOnOff = z.enum(["on", "off"], "must be on or off").transform((word) => word === "on");

const zDriver = z.enum(["pglite", "postgres", "neon"], "must be pglite, postgres or neon");

/** Variables that say how a database is reached. */
export const databaseShape = {
  /** `postgres://…`, `neon://…` or `pglite:<directory>`; needed unless the service has one of its own. */
  DATABASE_URL: z.string().optional(),
  /** Overrides the driver that the URL implies. */
  DATABASE_DRIVER: zDriver.optional(),
  /** Most connections of a process at a time. */
  DATABASE_POOL_SIZE: zInteger(1, 1000).default(10),
  /** Most that wait for a connection; default 20 for each. */
  DATABASE_QUEUE_SIZE: zInteger(0, 1_000_000).optional(),
  /** Longest that a statement may run. */
  DATABASE_STATEMENT_TIMEOUT_MS: zMilliseconds.default(10_000),
  /** Longest wait for the end of a statement, in whatever state the network is. */
  DATABASE_QUERY_TIMEOUT_MS: zMilliseconds.optional(),
  /** Longest wait for a lock. */
  DATABASE_LOCK_TIMEOUT_MS: zMilliseconds.default(5000),
  /** Longest pause of a transaction between two statements. */
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: zMilliseconds.default(30_000),
  /** Age at which a connection is replaced; 0 for never. */
  DATABASE_CONNECTION_LIFETIME_SECONDS: zInteger(0, 86_400).default(1800),
  /** What stands between; by default Neon's own pooler is known by its name. */
  DATABASE_POOLER: z.enum(["none", "transaction"], "must be none or transaction").optional(),
  /** Whether named statements are prepared. */
  DATABASE_PREPARED_STATEMENTS: zOnOff.optional(),
  /** Whether it is suspended while it is not used; by default so on Neon. */
  DATABASE_AUTOSUSPEND: zOnOff.optional(),
  /** How often one that is suspended is polled all the same. */
  DATABASE_IDLE_POLL_SECONDS: zInteger(60, 86_400).default(900),
  /** Longest wait for a connection: to be opened, or to be free. */
  DATABASE_CONNECT_TIMEOUT_MS: zMilliseconds.default(10_000),
};

/**
 * The rule that there is a driver for the URL of a database.
 *
 * @param ownVariable the variable that names the service's own database, which goes before DATABASE_URL
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

/** How a database is reached, less what belongs to the process. */
export type DatabaseSettings = Omit<
  DatabaseOptions,
  "applicationName" | "logger" | "metrics" | "neonRelayUrl" | "pgliteExtensions" | "snapshot"
>;

const zConfig = z.object({ ...databaseShape, ownUrl: z.string().optional() });

/** The settings of a service's own database, or of the one that all share. */
export function databaseSettingsOf(config: z.output<typeof zConfig>): DatabaseSettings {
  const url = config.ownUrl ?? config.DATABASE_URL;
  if (url === undefined) throw new TypeError("The rules let no configuration without a URL pass.");
  return {
    url,
    driver: config.DATABASE_DRIVER,
    maxConnections: config.DATABASE_POOL_SIZE,
    maxWaiting: config.DATABASE_QUEUE_SIZE,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    queryTimeoutMs: config.DATABASE_QUERY_TIMEOUT_MS,
    lockTimeoutMs: config.DATABASE_LOCK_TIMEOUT_MS,
    idleTransactionTimeoutMs: config.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS,
    connectionLifetimeSeconds: config.DATABASE_CONNECTION_LIFETIME_SECONDS,
    pooler: config.DATABASE_POOLER,
    preparesStatements: config.DATABASE_PREPARED_STATEMENTS,
    autosuspend: config.DATABASE_AUTOSUSPEND,
    idle: { pollMs: config.DATABASE_IDLE_POLL_SECONDS * 1000 },
    connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
  };
}
