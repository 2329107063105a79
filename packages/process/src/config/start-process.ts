/**
 * Names of the errors whose message is one sentence for the operator. By name, since the packages
 * that throw them depend on this one.
 */
const errorsForTheOperator = new Set([
  "ConfigError",
  "DatabaseSetupError",
  "ListenError",
  "TlsError",
]);

/** A process that runs until it is closed. */
export interface RunningProcess {
  /** Drains and closes everything. */
  close(): Promise<void>;
  /** Longest time to close; work that hangs then, such as a dead connection, is abandoned. */
  readonly closeTimeoutMs: number;
}

/**
 * Runs a process of its own until SIGTERM or SIGINT, which close it and end it with exit status 0; a
 * second signal ends it at once. It listens for them from the start, because as process 1 of a
 * container it would otherwise ignore them.
 *
 * An error that its operator can fix, such as a wrong variable or a port in use, ends the process with
 * exit status 1 and one sentence on standard error; any other error is a defect and ends it with its
 * stack.
 */
export async function startProcess(start: () => Promise<RunningProcess>): Promise<void> {
  let running: RunningProcess | undefined;
  let isEnding = false;
  const end = async (): Promise<void> => {
    // Before it runs there are no calls to finish.
    if (isEnding || running === undefined) process.exit(isEnding ? 1 : 0);
    isEnding = true;
    const { closeTimeoutMs } = running;
    setTimeout(() => void fail(`It did not close within ${closeTimeoutMs} ms.`), closeTimeoutMs);
    await running.close().catch((error: unknown) => fail(String(error)));
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void end());

  try {
    running = await start();
  } catch (error) {
    if (!(error instanceof Error && errorsForTheOperator.has(error.name))) throw error;
    // Resources that were opened before the error may keep the process alive.
    await fail(error.message);
  }
}

/** Ends the process with status 1 and one line on standard error. */
async function fail(message: string): Promise<never> {
  return await new Promise(() => {
    process.stderr.write(`${message}\n`, () => process.exit(1));
  });
}
