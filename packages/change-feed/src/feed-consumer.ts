import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import { EntryApplier } from "./entry-applier.ts";
import { FeedCursor } from "./feed-cursor.ts";
import type { FeedLag } from "./feed-lag.ts";
import type { FollowOptions } from "./follow-options.ts";
import { inBursts } from "./in-bursts.ts";
import { maxBatchEntries } from "./log-source.ts";
import { withIdleLimit } from "./with-idle-limit.ts";

/** Messages that may wait for the transaction under way. */
const maxBurstMessages = 32;

/** Three heartbeats may be late, none may be lost for ever. */
const defaultIdleLimitMs = 15_000;

/** Reads one stream after the other and applies what comes. */
export class FeedConsumer {
  readonly #options: FollowOptions;
  readonly #client: Client<typeof FeedService>;
  readonly #cursor: FeedCursor;
  readonly #applier: EntryApplier;
  readonly #lag: FeedLag;
  readonly #signal: AbortSignal;

  constructor(options: FollowOptions, lag: FeedLag, signal: AbortSignal) {
    this.#options = options;
    this.#client = createClient(FeedService, options.transport);
    this.#cursor = new FeedCursor(options.database, options.schema, options.feed);
    this.#applier = new EntryApplier(options, this.#cursor);
    this.#lag = lag;
    this.#signal = signal;
  }

  /** Resolves when the service ends the stream; rejects when it breaks or applying fails. */
  async consume(onProgress: () => void): Promise<void> {
    const { kinds = [], idleLimitMs = defaultIdleLimitMs } = this.#options;
    let position = await this.#cursor.read();
    const done = new AbortController();
    const messages = withIdleLimit(
      (signal) =>
        this.#client.watchChanges(
          { afterSequence: position, kinds: [...kinds] },
          { signal, timeoutMs: 0 },
        ),
      idleLimitMs,
      AbortSignal.any([this.#signal, done.signal]),
    );
    try {
      for await (const burst of inBursts(messages, isFull)) {
        const entries = burst.flatMap((message) => message.entries);
        const newestSequence = burst.at(-1)?.newestSequence ?? position;
        this.#lag.received(entries, newestSequence);
        // A heartbeat says that nothing up to its sequence is missing, of whatever kind.
        const isComplete = burst.at(-1)?.entries.length === 0;
        const through = isComplete ? newestSequence : (entries.at(-1)?.sequence ?? position);
        position = await this.#applier.apply(entries, through, position);
        this.#lag.applied(position, entries);
        onProgress();
        if (this.#signal.aborted) return;
      }
    } finally {
      done.abort();
    }
  }
}

/** Enough for one transaction: a message has up to a mebibyte, or one entry that is larger. */
function isFull(burst: readonly WatchChangesResponse[]): boolean {
  const entryCount = burst.reduce((count, { entries }) => count + entries.length, 0);
  return entryCount >= maxBatchEntries || burst.length >= maxBurstMessages;
}
