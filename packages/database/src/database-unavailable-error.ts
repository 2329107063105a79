/** `DATABASE_UNREACHABLE`: no connection could be had. `CONNECTION_LOST`: it broke while in use. */
export type DatabaseUnavailableErrorCode = "DATABASE_UNREACHABLE" | "CONNECTION_LOST";

/** The database did not answer; `cause` has the driver's error. Trying again later may help. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  readonly code: DatabaseUnavailableErrorCode;

  constructor(code: DatabaseUnavailableErrorCode, cause: unknown) {
    super("The database is unavailable.", { cause });
    this.code = code;
  }
}
