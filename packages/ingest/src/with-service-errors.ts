import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { DatabaseOverloadedError, DatabaseUnavailableError } from "@storefront/database";
import type { Database } from "@storefront/database";
import { ServiceError, unavailable } from "@storefront/rpc";

/** The error for the client: the code, the reason, and the failure in words. */
type Refusal = readonly [code: Code, reason: ErrorReason, what: string];

const overloaded: Refusal = [
  Code.ResourceExhausted,
  ErrorReason.DATABASE_OVERLOADED,
  "is overloaded",
];
const conflict: Refusal = [
  Code.Aborted,
  ErrorReason.TRANSACTION_CONFLICT,
  "undid a transaction that was in another one's way",
];
const full: Refusal = [Code.ResourceExhausted, ErrorReason.STORAGE_FULL, "has no room left"];

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const refusals: ReadonlyMap<string, Refusal> = new Map([
  ["40001", conflict],
  ["40P01", conflict],
  ["53100", full],
  ["53200", full],
  ["53300", overloaded],
  ["55P03", [Code.Unavailable, ErrorReason.LOCK_TIMEOUT, "is locked by another writer"]],
]);

/** SQLSTATE `query_canceled`. */
const queryCanceled = "57014";

/** The error for the client of a failed database call; undefined for unexpected failures. */
export function serviceErrorOf(error: unknown): Error | undefined {
  if (error instanceof DatabaseUnavailableError) return unavailable("database", error);
  if (error instanceof DatabaseOverloadedError) return refusalOf(overloaded, error);
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") {
    return undefined;
  }
  // A statement that is cancelled with its call fails with the call's reason: this one took too long.
  if (error.code === queryCanceled) {
    const message = "the database took too long";
    return new ConnectError(message, Code.DeadlineExceeded, undefined, undefined, error);
  }
  const refusal = refusals.get(error.code);
  return refusal && refusalOf(refusal, error);
}

function refusalOf([code, reason, what]: Refusal, cause: unknown): ServiceError {
  const metadata = { dependency: "database" };
  return new ServiceError({ code, reason, message: `the database ${what}`, metadata, cause });
}

/**
 * The same database, for handlers: failures that a client can handle, for example by a retry, become errors
 * for the client. All other errors do not change.
 */
export function withServiceErrors(database: Database): Database {
  return {
    driver: database.driver,
    polling: database.polling,
    read: (statement, parameters) => translated(database.read(statement, parameters)),
    readOne: (statement, parameters) => translated(database.readOne(statement, parameters)),
    write: (statement, parameters) => translated(database.write(statement, parameters)),
    transaction: (work, options) => translated(database.transaction(work, options)),
    outsideTransaction: (statements, signal) =>
      translated(database.outsideTransaction(statements, signal)),
    probe: () => translated(database.probe()),
    close: () => database.close(),
  };
}

async function translated<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw serviceErrorOf(error) ?? error;
  }
}
