import { option, zInteger, zMilliseconds } from "@storefront/process";
import type { Metrics } from "@storefront/process";
import { z } from "zod";
import type { IdleOptions } from "./idle/commit-listener.ts";

const zOnOff = z.enum(["on", "off"], "must be on or off").transform((word) => word === "on");

export const zDriver = z.enum(["pglite", "postgres", "neon"], "must be pglite, postgres or neon");

/** The three ways to reach a database; all have the same SQL. */
export type DatabaseDriver = z.output<typeof zDriver>;

const zIdle = zInteger(60, 86_400).transform((seconds): IdleOptions => ({
  afterMs: 60_000,
  pollMs: seconds * 1000,
}));

/** Options that say how a database is reached. */
export const databaseShape = {
  databaseUrl: option("DATABASE_URL", z.string().optional(), "required").describe(
    "`postgres://…`, `neon://…` or `pglite:<directory>`. With `start` and `cli` the embedded one.",
  ),
  driver: option("DATABASE_DRIVER", zDriver.optional(), "by URL").describe(
    "`pglite`, `postgres` or `neon`; `neon` reaches a `postgres://` address through Neon's driver.",
  ),
  maxConnections: option("DATABASE_POOL_SIZE", zInteger(1, 1000).default(10)).describe(
    "Most connections of a process to its database at a time. PGlite has one.",
  ),
  maxWaiting: option(
    "DATABASE_QUEUE_SIZE",
    zInteger(0, 1_000_000).optional(),
    "20 for each connection",
  ).describe(
    "Most statements and transactions that wait for a connection; more are refused at once (RESOURCE_EXHAUSTED).",
  ),
  statementTimeoutMs: option(
    "DATABASE_STATEMENT_TIMEOUT_MS",
    zMilliseconds.default(10_000),
  ).describe(
    "Longest that a statement may run; one that is run for a call ends with it in any case. PGlite cannot enforce it; migrations have no limit.",
  ),
  queryTimeoutMs: option(
    "DATABASE_QUERY_TIMEOUT_MS",
    zMilliseconds.optional(),
    "5 s more than that",
  ).describe(
    "Longest wait for the end of a statement, after which its connection is closed: for networks that swallow everything.",
  ),
  lockTimeoutMs: option("DATABASE_LOCK_TIMEOUT_MS", zMilliseconds.default(5000)).describe(
    "Longest wait for a lock, such as the one under which a service writes (UNAVAILABLE, LOCK_TIMEOUT).",
  ),
  idleTransactionTimeoutMs: option(
    "DATABASE_IDLE_TRANSACTION_TIMEOUT_MS",
    zMilliseconds.default(30_000),
  ).describe(
    "Longest pause of a transaction between two statements, after which the server ends it and its locks are free.",
  ),
  connectionLifetimeSeconds: option(
    "DATABASE_CONNECTION_LIFETIME_SECONDS",
    zInteger(0, 86_400).default(1800),
  ).describe(
    "Age at which a free connection is replaced, so that all move to a server that has taken over; 0 for never.",
  ),
  pooler: option(
    "DATABASE_POOLER",
    z.enum(["none", "transaction"], "must be none or transaction").optional(),
    "`none`",
  ).describe(
    "`transaction` behind a pooler in transaction mode, such as PgBouncer; the default for hosts of Neon's pooler. See [operations](operations/sizing.md#behind-pgbouncer).",
  ),
  preparesStatements: option(
    "DATABASE_PREPARED_STATEMENTS",
    zOnOff.optional(),
    "by `DATABASE_POOLER`",
  ).describe(
    "`on` or `off`: whether hot reads are prepared once per connection. `off` behind a pooler that is set here, since PgBouncer knows them from 1.21 on only.",
  ),
  autosuspend: option("DATABASE_AUTOSUSPEND", zOnOff.optional(), "`on` on Neon").describe(
    "`on` or `off`: whether the database suspends itself when idle, so that background work leaves it suspended. See [operations](operations/sizing.md#databases-that-are-suspended).",
  ),
  idle: option("DATABASE_IDLE_POLL_SECONDS", zIdle.prefault("900")).describe(
    "How often such a database is polled while it is idle, for commits whose notification was lost.",
  ),
  connectTimeoutMs: option("DATABASE_CONNECT_TIMEOUT_MS", zMilliseconds.default(10_000)).describe(
    "Longest wait for a connection, to be opened or to be free; who waits for a call waits no longer than its deadline.",
  ),
};

const zDatabase = z.object(databaseShape);

export const databaseDefaults = zDatabase.parse({});

/** The part of a logger that this package uses; a pino logger fits. */
export interface DatabaseLogger {
  warn(details: object, message: string): void;
}

/** How to open a database. */
export interface DatabaseOptions extends Partial<Omit<z.output<typeof zDatabase>, "databaseUrl">> {
  /**
   * `pglite:<directory>`, `pglite:memory:` (a new one each time), `pglite:memory:<name>` (shared in
   * the process), `postgres://…`, `postgresql://…` or `neon://…`.
   */
  url: string;
  /** Name in `pg_stat_activity`; default `storefront`. */
  applicationName?: string | undefined;
  /**
   * Address (`ws://` or `wss://`) of a WebSocket-to-TCP relay for Neon's driver, called with
   * `?address=host:port`; default: the one that Neon runs at the database's own host.
   */
  neonRelayUrl?: string | undefined;
  /** Logs lost idle connections; default none. */
  logger?: DatabaseLogger | undefined;
  /**
   * File that a database of `pglite:memory:` is loaded from, dumped by PGlite's `dumpDataDir`: in a tenth of
   * the time that an empty one takes to create. Default an empty one.
   */
  snapshot?: string | undefined;
  /** Registry for metrics of the pool and its statements; default none. One database per registry. */
  metrics?: Metrics | undefined;
}
