import { types } from "pg";
import type { CustomTypesConfig } from "pg";
import type { ConnectionSilentError } from "../database-errors.ts";
import type { ListeningClient } from "../idle/commit-listener.ts";

/** The result of one statement. */
export interface StatementResult {
  rows: unknown[];
  /** Null for statements that have no count. */
  rowCount: number | null;
  /** First word of the command tag, such as `COMMIT`. */
  command: string;
}

/** A statement as drivers take it. */
export interface DriverStatement {
  /** Name under which it is prepared. */
  readonly name?: string;
  /** Its name in metrics and traces where it is not prepared. */
  readonly label?: string;
  readonly text: string;
  readonly values?: unknown[];
  /** Longest wait for its end, in milliseconds, 0 for no limit; default the pool's. */
  readonly timeoutMs?: number | undefined;
}

/** A connection taken from a driver's pool. */
export interface DriverConnection {
  /** @throws ConnectionSilentError when it takes too long; otherwise the server's error. */
  query(statement: DriverStatement): Promise<StatementResult>;
  /**
   * Requests the end of the running statement; resolves, in any case, when the server has acted on it.
   * Undefined where statements cannot be ended.
   */
  readonly cancel: (() => Promise<void>) | undefined;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  /** Releases the connection, or closes it: with the error, when it is silent. */
  release(destroy?: boolean | ConnectionSilentError): void;
}

/** Connections that are open, and those of them that are not in use. */
export interface PoolUsage {
  readonly openCount: number;
  readonly idleCount: number;
}

/** A driver's pool of connections to one server, which may fall silent. */
export interface DriverPool {
  /** @throws ConnectionSilentError when the server does not respond; otherwise the reason of the failure. */
  connect(): Promise<DriverConnection>;
  /** Resolves when the server, or the network before it, responds on another connection, even with an error. */
  probe(): Promise<void>;
  /** Closes the connections that are not used. */
  dropIdle(): void;
  usage(): PoolUsage;
  end(): Promise<void>;
}

/** Time limits of the server, in milliseconds; 0 for no limit. */
export interface SessionLimits {
  /** A statement. */
  readonly statementTimeoutMs: number;
  /** The wait for a lock. */
  readonly lockTimeoutMs: number;
  /** A transaction's pause between two statements; then its session is ended. */
  readonly idleTransactionTimeoutMs: number;
}

/** Settings that PostgreSQL and Neon pools share. Times are in milliseconds. */
export interface PoolSettings {
  url: string;
  /** URL of the separate session that listens for notifications. */
  listenUrl: string;
  applicationName: string;
  maxConnections: number;
  /** Limits of a session on the server. */
  limits: SessionLimits;
  /** Whether sessions belong to the client; a pooler in transaction mode assigns one to each transaction. */
  hasSessions: boolean;
  /** Whether named statements are prepared. */
  preparesStatements: boolean;
  /** Longest wait for the end of a statement, after which its connection is closed. */
  queryTimeoutMs: number;
  /** Longest wait for a connection: to be opened, or to be free. */
  connectTimeoutMs: number;
  /** Age at which a connection is closed once it is free; 0 for none. */
  connectionLifetimeSeconds: number;
  onIdleError: (error: Error) => void;
}

/** A pool, with a factory for a separate connection to listen on. */
export interface ListeningPool {
  readonly pool: DriverPool;
  readonly createListener: () => ListeningClient;
}

/**
 * Settings of every session, unless the URL has `options` of its own. Statements here are short: compiling
 * one whose cost is overestimated takes 60 ms, running it 5.
 */
const sessionOptions = "-c jit=off";

/** Parameters at the start of a session. A pooler rejects all settings except a name. */
export function sessionStart({ limits, hasSessions, applicationName }: PoolSettings) {
  if (!hasSessions) return { application_name: applicationName };
  return {
    application_name: applicationName,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleTransactionTimeoutMs,
    options: sessionOptions,
  };
}

/** An unused connection is closed after this long. */
export const idleTimeoutMs = 30_000;

/** The silent loss of a free connection is noticed about ten seconds after this. */
export const keepAliveAfterMs = 10_000;

/** Object identifier of `int8[]`, which the driver's list of built-in types lacks. */
const int8Array = 1016;

/** Types that are parsed differently from the driver's default. */
const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.BYTEA, (text) => Buffer.from(text.slice(2), "hex")],
  // Exact, as protobuf's int64; the driver's default is a string.
  [types.builtins.INT8, BigInt],
  [int8Array, parseInt8Array],
  // Without a zone the driver would read these in the process's own.
  [types.builtins.DATE, String],
  [types.builtins.TIMESTAMP, String],
]);

/** The pool setting that decides how column values are parsed, the same for every driver. */
export const typeParsers: CustomTypesConfig = {
  getTypeParser(typeId, format) {
    const own = format === "binary" ? undefined : parsers.get(typeId);
    return own ?? types.getTypeParser(typeId, format);
  },
};

/** One dimension only: `{1,NULL,3}`. */
function parseInt8Array(text: string): (bigint | null)[] {
  const items = text.slice(1, -1);
  if (items === "") return [];
  return items.split(",").map((item) => (item === "NULL" ? null : BigInt(item)));
}
