import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import type { LogPosition } from "../log/log-source.ts";
import type { ResynchronisationReason } from "./feed-metrics.ts";
import type { FollowerParts, Resynchronisation, Resynchronise } from "./follow-options.ts";

/**
 * Why the log cannot be followed from the cursor: it lost part of its history, as after a restore, or the
 * next entries are deleted.
 */
export type FeedLoss = Extract<ResynchronisationReason, "diverged" | "pruned">;

/** Logged when a resynchronisation begins. */
export const resynchronisationSentences: Readonly<Record<ResynchronisationReason, string>> = {
  diverged: "the log is another one: resynchronising",
  pruned: "the log is another one: resynchronising",
  incomplete: "an earlier release has stored less than this one: resynchronising",
  asked: "rebuilding",
};

/** Reconciles a follower with a log that it cannot follow, and reports it. */
export class Resynchroniser {
  readonly #parts: FollowerParts;
  #isRunning = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Resolves when the log can be followed from the cursor. */
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
      const target = await lease.whileHeld(logger, () => resynchronise(at));
      await at.transaction((tx) => cursor.advance(tx, target));
      onCommitted?.();
      const positions = { from: textOf(position), to: textOf(target) };
      logger.warn({ feed, reason, ...positions }, "the feed is resynchronised");
    } finally {
      this.#isRunning = false;
    }
  }

  #at(reason: ResynchronisationReason, position: LogPosition): Resynchronisation {
    const { options, client, cursor, lease, quarantine, snapshots, signal } = this.#parts;
    const { feed, logger } = options;
    return {
      feed,
      client,
      reason,
      position,
      signal,
      logger,
      async transaction(work) {
        const { result } = await lease.transaction(cursor, async (tx, stored) => {
          if (stored.sequence !== position.sequence || stored.identity !== position.identity) {
            throw cursorMoved(feed, stored);
          }
          return await work(tx);
        });
        return result;
      },
      noteRecords: (tx, sequence) => quarantine.supersedeAll(tx, sequence),
      snapshots,
    };
  }
}

/** The failure of a transaction when another process has applied entries. */
export function cursorMoved(feed: string, stored: LogPosition): Error {
  return new Error(`the cursor of ${feed} has moved to ${textOf(stored)} meanwhile`);
}

/** A position for log messages. */
export function textOf({ sequence, identity }: LogPosition): string {
  return identity === "" ? String(sequence) : `${sequence} (${identity})`;
}

/** The loss that a failed stream reports; undefined when it reports none. */
export function feedLossOf(error: unknown): FeedLoss | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const reason = errorInfoOf(error)?.reason;
  if (error.code === Code.FailedPrecondition) {
    if (reason === ErrorReason.LOG_DIVERGED) return "diverged";
    if (reason === ErrorReason.LOG_PRUNED) return "pruned";
  }
  // Without an identity, a log that is too short looks like one that was replaced.
  const isTooShort = error.code === Code.OutOfRange && reason === ErrorReason.SEQUENCE_OUT_OF_RANGE;
  return isTooShort ? "diverged" : undefined;
}
