import { setTimeout as sleep } from "node:timers/promises";
import { AsyncLocalStorage } from "node:async_hooks";
import { CommitListener, DatabaseActivity } from "./commit-listener.ts";
import type { IdleOptions, ListeningClient } from "./commit-listener.ts";

/** Polling of a database, for work outside of calls. */
export interface Polling {
  /**
   * Start of the idle time, by `performance.now()`: values that were read since are current. Undefined while
   * the database is used, and if it is never suspended.
   */
  readonly idleSinceMs: number | undefined;
  /** Runs work whose statements do not count as uses: the database may become idle meanwhile. */
  runInBackground<Result>(work: () => Result): Result;
  /**
   * Waits between two polls: `intervalMs`, or, once the database is idle, until it is used. Resolves at the
   * signal.
   */
  untilNextPoll(intervalMs: number, signal: AbortSignal): Promise<void>;
}

/** Polling of a database that is never suspended, at a constant interval. */
export const steadyPolling: Polling = {
  idleSinceMs: undefined,
  runInBackground: (work) => work(),
  untilNextPoll: (intervalMs, signal) =>
    // Rejects only after the abort.
    sleep(intervalMs, undefined, { signal, ref: false }).catch(() => undefined),
};

/** One for the process, since a piece of work runs through all its parts. */
const background = new AsyncLocalStorage<true>();

/** Runs work in the background, such as a poll or a probe: its statements do not count as uses of a database. */
export function runInBackground<Result>(work: () => Result): Result {
  return background.run(true, work);
}

/** Whether the running code is background work. */
export function isInBackground(): boolean {
  return background.getStore() === true;
}

/**
 * A periodic read in the background, such as of a probe or a page of metrics.
 * A value that was read while the database is idle is not read again before the next use.
 */
export function cachedWhileIdle<Value>(
  polling: Polling,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let cached: { readonly value: Value; readonly idleSinceMs: number } | undefined;
  return async () => {
    const { idleSinceMs } = polling;
    if (cached !== undefined && cached.idleSinceMs === idleSinceMs) return cached.value;
    const value = await polling.runInBackground(read);
    cached = idleSinceMs === undefined ? undefined : { value, idleSinceMs };
    return value;
  };
}

/** Polling of a database that is suspended while it is not used. */
export class AutosuspendPolling implements Polling {
  readonly #activity: DatabaseActivity;
  readonly #listener: CommitListener;

  constructor(options: IdleOptions, createClient: () => ListeningClient) {
    this.#activity = new DatabaseActivity(options);
    this.#listener = new CommitListener(createClient, this.#activity);
  }

  get idleSinceMs(): number | undefined {
    const isIdle = this.#activity.msUntilIdle === 0 && this.#listener.isListening;
    return isIdle ? this.#activity.lastUseMs : undefined;
  }

  runInBackground<Result>(work: () => Result): Result {
    this.#listener.start();
    return runInBackground(work);
  }

  async untilNextPoll(intervalMs: number, signal: AbortSignal): Promise<void> {
    this.#listener.start();
    const dueAtMs = performance.now() + intervalMs;
    while (!signal.aborted) {
      const idleSinceMs = this.idleSinceMs;
      const isChecked = idleSinceMs !== undefined && (await this.#listener.check());
      // Used meanwhile, it is polled.
      if (isChecked && this.idleSinceMs === idleSinceMs) {
        await this.#activity.untilUse(signal);
        return;
      }
      const leftMs = dueAtMs - performance.now();
      if (leftMs <= 0) return;
      await steadyPolling.untilNextPoll(
        Math.min(leftMs, this.#activity.msUntilIdle || leftMs),
        signal,
      );
    }
  }

  /** The database is used by other than background work. */
  noteUse(): void {
    this.#activity.noteUse();
  }

  async close(): Promise<void> {
    await this.#listener.close();
  }
}
