import { runInBackground, steadyPolling } from "./polling.ts";
import { CommitListener, DatabaseActivity } from "./commit-listener.ts";
import type { IdleOptions, ListeningClient } from "./commit-listener.ts";
import type { Polling } from "./polling.ts";

/** Of a database that is suspended while it is not used. */
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
