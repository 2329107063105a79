/**
 * Names of the errors whose message is one sentence for the operator. By name, since the packages
 * that throw them stand above this one.
 */
const errorsForTheOperator = new Set(["ConfigError", "DatabaseSetupError", "ListenError"]);

/**
 * Runs the start of a process of its own. What its operator can put right, such as a wrong variable
 * or a port in use, ends the process with exit status 1 and one sentence on standard error; any
 * other error is a defect and ends it with its stack.
 */
export async function startProcess(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof Error && errorsForTheOperator.has(error.name))) throw error;
    // What was opened before the error may keep the process alive.
    process.stderr.write(`${error.message}\n`, () => process.exit(1));
  }
}
