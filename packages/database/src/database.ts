import type { DatabaseDriver } from "./database-options.ts";
import type { Polling } from "./idle/polling.ts";

/** A statement with a name for metrics. */
export interface NamedStatement {
  /**
   * PGlite's connection serves every service of a process, so names carry the schema
   * (`catalog.getOffer`); one name with two texts is an error.
   */
  readonly name: string;
  readonly text: string;
  /**
   * Plans it at each use, for tables that grow from empty: a cached plan stays that of a small table, which
   * is scanned completely, until statistics are gathered, which PGlite never does. Default false: it is
   * parsed and planned once per connection.
   */
  readonly isPlannedEachTime?: boolean;
}

/** SQL with `$1`-style parameters. A named one is for hot reads: see {@link NamedStatement}. */
export type Statement = string | NamedStatement;

/** The result of a statement that changes rows. */
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
 * An open transaction; see {@link Database.transaction}. While it is open, use only it: PGlite has a single
 * connection, so a separate read, or a call to a service that reads, would wait for the transaction to
 * end.
 */
export interface Transaction extends Queryable {
  /** Runs several statements without parameters, separated by semicolons. */
  script(sql: string): Promise<void>;
}

/** How a transaction runs. */
export interface TransactionOptions {
  /** Default `read committed`. The caller retries after a serialization failure (40001). */
  isolation?: "read committed" | "repeatable read" | "serializable" | undefined;
  /** Rejects writes; default false. */
  readOnly?: boolean | undefined;
  /** Whether statements, locks and pauses have no time limit; for migrations. Default false. */
  isUnlimited?: boolean | undefined;
}

/**
 * A pool of connections to one database. Work for a call (`activeCall`) ends with the call: the server is requested
 * to cancel the statement, a transaction is rolled back, and both reject with the call's reason. PGlite cannot
 * cancel; its statements run to their end. `read` and `readOne` are retried once when the connection breaks; `write`
 * and transactions never are, since they may have been executed. Nothing is retried when the server is silent: then
 * all uses fail until it responds to a probe, which is sent as long as there are uses.
 */
export interface Database extends Queryable {
  readonly driver: DatabaseDriver;
  /** Polling of the database, for work outside of calls. */
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
   * Runs maintenance, such as `analyze` and statements that PostgreSQL rejects inside a transaction, such as
   * `create index concurrently`: in order on one connection, without time limits for statements and locks.
   *
   * @param signal ends the running statement; then the rejection is its reason. PGlite's ends on its own.
   */
  outsideTransaction(statements: readonly string[], signal?: AbortSignal): Promise<void>;
  /**
   * Milliseconds that `SELECT 1` takes, waiting for a connection included; rejects when it fails. An
   * idle database that is suspended is not probed: see {@link Polling}.
   */
  probe(): Promise<number>;
  /** Waits for running work and closes. A second call does nothing. */
  close(): Promise<void>;
}
