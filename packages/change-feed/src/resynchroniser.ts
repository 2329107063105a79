import type { Logger } from "@storefront/telemetry";
import type { FeedLease } from "./feed-lease.ts";
import type { FollowerParts } from "./follower-parts.ts";
import type { LogPosition } from "./log-position.ts";
import type { Resynchronisation, ResynchronisationReason, Resynchronise } from "./resynchronise.ts";

/** What is logged when it begins. */
const sentences: Readonly<Record<ResynchronisationReason, string>> = {
  diverged: "the log is another one: resynchronising",
  pruned: "the log is another one: resynchronising",
  incomplete: "an earlier release has stored less than this one: resynchronising",
  asked: "rebuilding",
};

/** Lets a follower agree again with a log that it cannot follow any more, and tells of it. */
export class Resynchroniser {
  readonly #parts: FollowerParts;
  #isRunning = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Resolves when the cursor stands where the log can be followed from. */
  async run(
    resynchronise: Resynchronise,
    reason: ResynchronisationReason,
    position: LogPosition,
  ): Promise<void> {
    const { options, lease, cursor } = this.#parts;
    const { feed, logger, metrics, onCommitted } = options;
    metrics?.countResynchronisation(feed, reason);
    logger.warn({ feed, reason, from: textOf(position) }, sentences[reason]);
    this.#isRunning = true;
    try {
      const at = this.#at(reason, position);
      const target = await whileHeld(lease, logger, () => resynchronise(at));
      await at.transaction((tx) => cursor.advance(tx, target));
      onCommitted?.();
      const places = { from: textOf(position), to: textOf(target) };
      logger.warn({ feed, reason, ...places }, "the feed is resynchronised");
    } finally {
      this.#isRunning = false;
    }
  }

  #at(reason: ResynchronisationReason, position: LogPosition): Resynchronisation {
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

/**
 * Renews a lease all the time that a piece of work takes, which has long pauses between transactions.
 * A lease that is lost is noticed by the work's next transaction, which has to confirm it.
 */
async function whileHeld<Result>(
  lease: FeedLease,
  logger: Logger,
  work: () => Promise<Result>,
): Promise<Result> {
  let renewing: Promise<void> | undefined;
  const timer = setInterval(() => {
    // One waits as long as a transaction of the work, which has the lease locked anyway.
    renewing ??= lease
      .renew()
      .catch((err: unknown) => logger.warn({ err }, "the lease of a feed cannot be renewed now"))
      .finally(() => (renewing = undefined));
  }, lease.durationMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}
