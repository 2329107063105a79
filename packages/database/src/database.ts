import type { Extensions } from "@electric-sql/pglite";
import type { Metrics } from "@storefront/process";
import type { IdleOptions } from "./idle/commit-listener.ts";
import type { Polling } from "./idle/polling.ts";

/** The three ways to reach a database; they speak the same SQL. */
export type DatabaseDriver = "pglite" | "postgres" | "neon";

/** What the package needs of a logger; a pino logger fits. */
export interface DatabaseLogger {
  warn(details: object, message: string): void;
}

/** How to open a database. */
export interface DatabaseOptions {
  /**
   * `pglite:<directory>`, `pglite:memory:` (a new one each time), `pglite:memory:<name>` (shared in
   * the process), `postgres://…`, `postgresql://…` or `neon://…`.
   */
  url: string;
  /** Overrides what the URL says, so that `postgres://…` can be reached with Neon's driver. */
  driver?: DatabaseDriver | undefined;
  /** Name in `pg_stat_activity`; default `storefront`. */
  applicationName?: string | undefined;
  /** Most connections at once; default 10. PGlite has one, whatever is said here. */
  maxConnections?: number | undefined;
  /**
   * How many may wait for a connection, more are refused at once; default 20 for each connection.
   * PGlite's one, which all users of the process share, may be waited for by 1,000.
   */
  maxWaiting?: number | undefined;
  /** Longest a statement may run, in milliseconds; default 10,000. PGlite cannot enforce it. */
  statementTimeoutMs?: number | undefined;
  /**
   * Longest wait for the end of a statement, in milliseconds, after which its connection is closed:
   * what a network that swallows everything costs. Default 5,000 more than the statement's timeout.
   */
  queryTimeoutMs?: number | undefined;
  /** Longest wait for a lock, in milliseconds; default 5,000. */
  lockTimeoutMs?: number | undefined;
  /** Longest pause of a transaction between two statements, in milliseconds; default 30,000. */
  idleTransactionTimeoutMs?: number | undefined;
  /** Age at which a connection makes room for a new one, in seconds, 0 for never; default 1,800. */
  connectionLifetimeSeconds?: number | undefined;
  /**
   * What stands between: `transaction` for a pooler in transaction mode, such as PgBouncer, which
   * gives each transaction another session. Default `none`, and `transaction` for Neon's own pooler.
   */
  pooler?: "none" | "transaction" | undefined;
  /**
   * Whether named statements are prepared, once per connection. Default true, but for a `pooler` that is
   * named here: those older than PgBouncer 1.21 mix them up.
   */
  preparesStatements?: boolean | undefined;
  /**
   * Whether it is suspended while it is not used, and so left alone when it is idle; default on Neon
   * only. Without effect on PGlite and behind a `pooler` that is named here, where there is no session to listen in.
   */
  autosuspend?: boolean | undefined;
  /** When a database that is suspended is idle. */
  idle?: Partial<IdleOptions> | undefined;
  /** Longest wait for a connection, to be opened or to be free, in milliseconds; default 10,000, PGlite 30,000. */
  connectTimeoutMs?: number | undefined;
  /**
   * Address (`ws://` or `wss://`) of a WebSocket-to-TCP relay for Neon's driver, asked with
   * `?address=host:port`; default: the one that Neon runs at the database's own host.
   */
  neonRelayUrl?: string | undefined;
  /** Warned of lost idle connections; default none. */
  logger?: DatabaseLogger | undefined;
  /**
   * File that a database of `pglite:memory:` begins as, dumped by PGlite's `dumpDataDir`: read in a
   * tenth of the time that an empty one is made in. Default an empty one.
   */
  snapshot?: string | undefined;
  /** What PGlite has beside `pg_trgm`; an instance that is shared has what its first user says. Default none. */
  pgliteExtensions?: Extensions | undefined;
  /** Where the pool and its statements are counted and timed; default nowhere. One database per registry. */
  metrics?: Metrics | undefined;
}

/** A statement that metrics call by its name. */
export interface NamedStatement {
  /**
   * PGlite's connection serves every service of a process, so names carry the schema
   * (`catalog.getOffer`); one name with two texts is an error.
   */
  readonly name: string;
  readonly text: string;
  /**
   * Plans it at each use, for tables that grow from nothing: a cached plan stays that of a small table,
   * which is read whole, until statistics are gathered, which PGlite never does. Default false: it
   * is parsed and planned once per connection.
   */
  readonly isPlannedEachTime?: boolean;
}

/** SQL with `$1`-style parameters. A named one is for hot reads: see {@link NamedStatement}. */
export type Statement = string | NamedStatement;

/** What a statement that changes rows gives. */
export interface WriteResult<Row> {
  /** Rows of `RETURNING`, otherwise empty. */
  rows: Row[];
  /** Rows changed. */
  rowCount: number;
}

/**
 * Runs SQL. `int8` comes back as bigint, `numeric` as string, `bytea` as Buffer, `timestamptz` as
 * Date, `date` and `timestamp` as string, `json` and `jsonb` parsed. The row type is the caller's
 * promise and is not checked. Errors of the server have its SQLSTATE as `code`.
 */
export interface Queryable {
  /** Rows of a statement that changes nothing. */
  read<Row>(statement: Statement, parameters?: readonly unknown[]): Promise<Row[]>;
  /** First row of a statement that changes nothing. */
  readOne<Row>(statement: Statement, parameters?: readonly unknown[]): Promise<Row | undefined>;
  /** Runs a statement that may change rows. */
  write<Row = never>(
    statement: Statement,
    parameters?: readonly unknown[],
  ): Promise<WriteResult<Row>>;
}

/**
 * An open transaction; see {@link Database.transaction}. While it is open, use nothing but it:
 * PGlite has a single connection, so a read beside it, or a call to a service that reads, would
 * wait for the transaction to end.
 */
export interface Transaction extends Queryable {
  /** Runs several statements without parameters, separated by semicolons. */
  script(sql: string): Promise<void>;
}

/** How a transaction runs. */
export interface TransactionOptions {
  /** Default `read committed`. A serialization failure (40001) is the caller's to repeat. */
  isolation?: "read committed" | "repeatable read" | "serializable" | undefined;
  /** Refuses writes; default false. */
  readOnly?: boolean | undefined;
  /** Lets statements, locks and pauses take as long as they take; for migrations. Default false. */
  isUnlimited?: boolean | undefined;
}

/**
 * A pool of connections to one database. What is run for a call (`activeCall`) ends with it: the server
 * is asked to cancel the statement, a transaction is rolled back, and both reject with the call's
 * reason. PGlite cannot cancel; there a statement ends by itself. `read` and `readOne` are repeated once when the connection
 * breaks; `write` and transactions never are, since they may have happened. Nothing is repeated when the server is silent:
 * then all uses fail until it responds to a probe, which is sent as long as there are uses.
 */
export interface Database extends Queryable {
  readonly driver: DatabaseDriver;
  /** How work that is not for a call polls it. */
  readonly polling: Polling;
  /**
   * Runs `work` in a transaction: committed when it resolves, rolled back when it rejects.
   * Rejects with what `work` rejected with, or when the commit turned out to be a rollback.
   */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Runs maintenance, such as `analyze` and what PostgreSQL refuses inside a transaction, such as
   * `create index concurrently`: one statement after the other on one connection, for as long as they
   * and the locks they wait for take.
   *
   * @param signal ends the running statement; then the rejection is its reason. PGlite's ends on its own.
   */
  outsideTransaction(statements: readonly string[], signal?: AbortSignal): Promise<void>;
  /**
   * Milliseconds that `SELECT 1` takes, waiting for a connection included; rejects when it fails. An
   * idle database that is suspended is not asked: see {@link Polling}.
   */
  probe(): Promise<number>;
  /** Waits for what is running and closes. A second call does nothing. */
  close(): Promise<void>;
}
