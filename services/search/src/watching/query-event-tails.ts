import { LogTail } from "@storefront/change-feed";
import type { CommitSignal, LogBatch, LogPosition } from "@storefront/change-feed";
import type { Polling } from "@storefront/database";
import type { QueryEventStore } from "../store/query-event-store.ts";

/** Between looks for events that other processes have stored, in milliseconds. */
const pollIntervalMs = 1_000;

/** The ends of the logs of followed queries that somebody watches. */
export class QueryEventTails {
  readonly #events: QueryEventStore;
  readonly #polling: Polling;
  readonly #commits: CommitSignal;
  readonly #tails = new Map<bigint, LogTail>();
  #isClosed = false;

  constructor(events: QueryEventStore, polling: Polling, commits: CommitSignal) {
    this.#events = events;
    this.#polling = polling;
    this.#commits = commits;
  }

  /** See {@link LogTail.watch}. */
  async *watch(watch: bigint, after: LogPosition, signal: AbortSignal): AsyncGenerator<LogBatch> {
    if (this.#isClosed) return;
    const tail = this.#tails.get(watch) ?? this.#tailOf(watch);
    this.#tails.set(watch, tail);
    try {
      yield* tail.watch({ after, signal });
    } finally {
      if (tail.watcherCount === 0) this.#tails.delete(watch);
    }
  }

  /** Ends every watch, now and later. */
  close(): void {
    this.#isClosed = true;
    for (const tail of this.#tails.values()) tail.close();
  }

  #tailOf(watch: bigint): LogTail {
    const events = this.#events;
    const source = {
      read: (after: bigint) => events.read(watch, after),
      newest: () => events.newest(watch),
    };
    return new LogTail({
      source,
      polling: this.#polling,
      commits: this.#commits,
      pollIntervalMs,
    });
  }
}
