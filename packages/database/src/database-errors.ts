/**
 * `DATABASE_UNREACHABLE`: no connection could be opened, or it is silent. `CONNECTION_LOST`: it broke
 * while in use.
 */
export type DatabaseUnavailableErrorCode = "DATABASE_UNREACHABLE" | "CONNECTION_LOST";

/** The database is unavailable; `cause` has the driver's error. A later retry can succeed. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  readonly code: DatabaseUnavailableErrorCode;

  constructor(code: DatabaseUnavailableErrorCode, cause: unknown) {
    super("The database is unavailable.", { cause });
    this.code = code;
  }
}

/**
 * `QUEUE_FULL`: too many callers wait for a connection. `WAITED_TOO_LONG`: none became free in time.
 * `TOO_MANY_CONNECTIONS`: the server has no more.
 */
export type DatabaseOverloadedErrorCode = "QUEUE_FULL" | "WAITED_TOO_LONG" | "TOO_MANY_CONNECTIONS";

/** The database is overloaded; nothing was executed. A later retry can succeed. */
export class DatabaseOverloadedError extends Error {
  override readonly name = "DatabaseOverloadedError";
  readonly code: DatabaseOverloadedErrorCode;

  constructor(code: DatabaseOverloadedErrorCode, options?: ErrorOptions) {
    super("The database is overloaded.", options);
    this.code = code;
  }
}

/** Why a database cannot be used; for the operator of the process. */
export type DatabaseSetupErrorCode =
  | "DATA_DIRECTORY_IN_USE"
  | "DATA_DIRECTORY_NEWER"
  | "UNSUPPORTED_DATABASE_URL"
  | "MIGRATION_UNKNOWN"
  | "MIGRATION_CHANGED"
  | "MIGRATION_FILE_NAME"
  | "MIGRATION_FILE_FORM";

/** A database that cannot be opened or migrated. The message is one sentence for the operator. */
export class DatabaseSetupError extends Error {
  override readonly name = "DatabaseSetupError";
  readonly code: DatabaseSetupErrorCode;

  constructor(code: DatabaseSetupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The server did not respond in time; the connection is unusable. */
export class ConnectionSilentError extends Error {
  override readonly name = "ConnectionSilentError";

  constructor(options?: ErrorOptions) {
    super("The connection is silent.", options);
  }
}

/** The SQLSTATE of an error of the server, undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
