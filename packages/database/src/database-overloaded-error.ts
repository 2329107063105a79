/**
 * `QUEUE_FULL`: too many wait for a connection already. `WAITED_TOO_LONG`: none became free in time.
 * `TOO_MANY_CONNECTIONS`: the server has no more.
 */
export type DatabaseOverloadedErrorCode = "QUEUE_FULL" | "WAITED_TOO_LONG" | "TOO_MANY_CONNECTIONS";

/** The database has more to do than it can; nothing was begun. Trying again later helps. */
export class DatabaseOverloadedError extends Error {
  override readonly name = "DatabaseOverloadedError";
  readonly code: DatabaseOverloadedErrorCode;

  constructor(code: DatabaseOverloadedErrorCode, options?: ErrorOptions) {
    super("The database is overloaded.", options);
    this.code = code;
  }
}
