import { setTimeout as sleep } from "node:timers/promises";

/** How a database is polled: by those who look at it though nobody has asked them to. */
export interface Polling {
  /**
   * Since when nobody has used the database, by `performance.now()`, when it is left alone therefore:
   * what was read since is still so. Undefined while it is used, and where it need not be left alone.
   */
  readonly idleSinceMs: number | undefined;
  /** Runs work whose statements are no use of the database: they do not keep it from being idle. */
  runInBackground<Result>(work: () => Result): Result;
  /**
   * Waits between two polls: `intervalMs`, or, from when the database is idle, until it is used. Ends,
   * without an error, with the signal.
   */
  untilNextPoll(intervalMs: number, signal: AbortSignal): Promise<void>;
}

/** Of a database that is never suspended: polled at the same pace always. */
export const steadyPolling: Polling = {
  idleSinceMs: undefined,
  runInBackground: (work) => work(),
  untilNextPoll: (intervalMs, signal) =>
    // Rejects only when it is to end.
    sleep(intervalMs, undefined, { signal, ref: false }).catch(() => undefined),
};
