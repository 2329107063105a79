/** Why a database cannot be used as it is; each is for the person who started the process. */
export type DatabaseSetupErrorCode =
  | "DATA_DIRECTORY_IN_USE"
  | "DATA_DIRECTORY_NEWER"
  | "UNSUPPORTED_DATABASE_URL"
  | "MIGRATION_UNKNOWN"
  | "MIGRATION_CHANGED"
  | "MIGRATION_FILE_NAME"
  | "MIGRATION_FILE_FORM";

/** A database that cannot be opened or migrated. The message is one sentence to show as it is. */
export class DatabaseSetupError extends Error {
  override readonly name = "DatabaseSetupError";
  readonly code: DatabaseSetupErrorCode;

  constructor(code: DatabaseSetupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
