import type { FollowerParts } from "./follower-parts.ts";
import { whileHeld } from "./while-held.ts";
import type { LogPosition } from "./log/log-source.ts";
import { resynchronisationSentences } from "./resynchronisation-reasons.ts";
import type { ResynchronisationReason } from "./resynchronisation-reasons.ts";
import type { Resynchronisation, Resynchronise } from "./resynchronise.ts";

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
    logger.warn({ feed, reason, from: textOf(position) }, resynchronisationSentences[reason]);
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
    const { options, client, cursor, lease, quarantine, snapshots, signal } = this.#parts;
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
      snapshots,
    };
  }
}

/** A position for the log of the process. */
export function textOf({ sequence, identity }: LogPosition): string {
  return identity === "" ? String(sequence) : `${sequence} (${identity})`;
}
