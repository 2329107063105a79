import type { Client } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedCursor } from "./feed-cursor.ts";
import type { FeedLease } from "./feed-lease.ts";
import type { FeedLoss } from "./feed-loss.ts";
import type { LogPosition } from "./log-position.ts";
import type { FollowOptions } from "./follow-options.ts";
import type { Quarantine } from "./quarantine.ts";
import type { Resynchronisation, Resynchronise } from "./resynchronise.ts";
import { whileHeld } from "./while-held.ts";

/** What a {@link Resynchroniser} works with. */
export interface ResynchroniserParts {
  readonly options: FollowOptions;
  readonly client: Client<typeof FeedService>;
  readonly cursor: FeedCursor;
  readonly lease: FeedLease;
  readonly quarantine: Quarantine;
  readonly signal: AbortSignal;
}

/** Lets a follower agree again with a log that it cannot follow any more, and tells of it. */
export class Resynchroniser {
  readonly #parts: ResynchroniserParts;
  #isRunning = false;

  constructor(parts: ResynchroniserParts) {
    this.#parts = parts;
    const { feed, metrics } = parts.options;
    metrics?.addResynchronisation(feed, () => this.#isRunning);
  }

  /** Resolves when the cursor stands where the log can be followed from. */
  async run(resynchronise: Resynchronise, reason: FeedLoss, position: LogPosition): Promise<void> {
    const { feed, logger, metrics, onCommitted } = this.#parts.options;
    metrics?.countResynchronisation(feed, reason);
    logger.warn(
      { feed, reason, from: textOf(position) },
      "the log is another one: resynchronising",
    );
    this.#isRunning = true;
    try {
      const at = this.#at(reason, position);
      const target = await whileHeld(this.#parts.lease, logger, () => resynchronise(at));
      await at.transaction((tx) => this.#parts.cursor.advance(tx, target));
      onCommitted?.();
      const places = { from: textOf(position), to: textOf(target) };
      logger.warn({ feed, reason, ...places }, "the feed is resynchronised");
    } finally {
      this.#isRunning = false;
    }
  }

  #at(reason: FeedLoss, position: LogPosition): Resynchronisation {
    const { options, client, cursor, lease, quarantine, signal } = this.#parts;
    const { feed, logger, database } = options;
    return {
      feed,
      client,
      reason,
      position,
      signal,
      logger,
      transaction: (work) =>
        database.transaction(async (tx) => {
          await lease.confirm(tx);
          const stored = await cursor.lock(tx);
          if (stored.sequence !== position.sequence || stored.identity !== position.identity) {
            throw new Error(`the cursor of ${feed} has moved to ${textOf(stored)} meanwhile`);
          }
          return await work(tx);
        }),
      noteRecords: (tx, sequence) => quarantine.supersedeAll(tx, sequence),
    };
  }
}

function textOf({ sequence, identity }: LogPosition): string {
  return identity === "" ? String(sequence) : `${sequence} (${identity})`;
}
