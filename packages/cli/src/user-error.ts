/** An error that the user can fix. The message is one sentence, shown unchanged. */
export class UserError extends Error {
  override readonly name = "UserError";
  /** Exit status of the command. */
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? 1;
  }
}

/** A command line that cannot be understood; exit status 2. */
export function usageError(message: string): UserError {
  return new UserError(message, { exitCode: 2 });
}

/**
 * An error that the user can fix, with its cause.
 *
 * @param problem such as `The file x cannot be read`, without a full stop.
 */
export function userErrorOf(problem: string, cause: unknown): UserError {
  return new UserError(`${problem}: ${messageOf(cause)}.`, { cause });
}

/** The text of anything thrown, for a sentence to people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Errors of other packages for the user. By name, since loading those packages would make `--help` slow.
 */
const messagesForTheUser = new Set([
  "ConfigError",
  "DatabaseSetupError",
  "DatabaseUnavailableError",
  "ListenError",
  "TlsError",
]);

/** Whether an error is for the user; any other is a defect. */
export function isForTheUser(error: unknown): error is Error {
  return (
    error instanceof UserError || (error instanceof Error && messagesForTheUser.has(error.name))
  );
}
