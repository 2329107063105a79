import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import type { LogPosition } from "../log/log-source.ts";
import { whileHeld } from "./feed-lease.ts";
import type { ResynchronisationReason } from "./feed-metrics.ts";
import type { FollowerParts, Resynchronisation, Resynchronise } from "./follow-options.ts";

/**
 * Why a follower cannot go on from where it is: the log has lost a part of its history, as by a restored
 * backup, or no longer keeps what comes next.
 */
export type FeedLoss = Extract<ResynchronisationReason, "diverged" | "pruned">;

/** What is logged when a resynchronisation begins. */
export const resynchronisationSentences: Readonly<Record<ResynchronisationReason, string>> = {
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

/** What a failed stream says of the follower's position; undefined when it says nothing of it. */
export function feedLossOf(error: unknown): FeedLoss | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const reason = errorInfoOf(error)?.reason;
  if (error.code === Code.FailedPrecondition) {
    if (reason === ErrorReason.LOG_DIVERGED) return "diverged";
    if (reason === ErrorReason.LOG_PRUNED) return "pruned";
  }
  // Asked without an identity, a log that is too short cannot be told from one that was replaced.
  const isTooShort = error.code === Code.OutOfRange && reason === ErrorReason.SEQUENCE_OUT_OF_RANGE;
  return isTooShort ? "diverged" : undefined;
}
