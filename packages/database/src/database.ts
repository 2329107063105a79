import type { DatabaseDriver } from "./database-options.ts";
import type { Polling } from "./idle/polling.ts";

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
 * is requested to cancel the statement, a transaction is rolled back, and both reject with the call's
 * reason. PGlite cannot cancel; its statements run to their end. `read` and `readOne` are repeated once when the connection
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
   * idle database that is suspended is not probed: see {@link Polling}.
   */
  probe(): Promise<number>;
  /** Waits for what is running and closes. A second call does nothing. */
  close(): Promise<void>;
}
