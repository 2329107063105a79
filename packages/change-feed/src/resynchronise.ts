import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Transaction } from "@storefront/database";
import { errorInfoOf } from "@storefront/rpc";
import type { Logger } from "@storefront/telemetry";
import type { LogPosition } from "./log/log-source.ts";
import type { ResynchronisationReason } from "./resynchronisation-reasons.ts";
import type { SnapshotProgressStore } from "./snapshot-progress.ts";

/**
 * Why a follower cannot go on from where it is: the log has lost a part of its history, as by a restored
 * backup, or no longer keeps what comes next.
 */
export type FeedLoss = Extract<ResynchronisationReason, "diverged" | "pruned">;

/** What a follower has at hand to agree again with a log that it can no longer follow. */
export interface Resynchronisation {
  readonly feed: string;
  /** The log, as it is now. */
  readonly client: Client<typeof FeedService>;
  readonly reason: ResynchronisationReason;
  /** Where the follower was. */
  readonly position: LogPosition;
  /** Aborts when the follower is closed. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Runs a transaction beside which nobody else applies this feed here. The cursor stays at `position`
   * until all is done, so that whoever is interrupted begins anew: every step must bear that.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Notes that every record is as it is after this sequence or later, so that a write which is quarantined
   * does not take the place of a newer one when it is tried again.
   */
  noteRecords(tx: Transaction, sequence: bigint): Promise<void>;
  /** How far a snapshot is that is under way. */
  readonly snapshots: SnapshotProgressStore;
}

/** Makes what the follower holds agree with the log; gives the place from which to follow it. */
export type Resynchronise = (at: Resynchronisation) => Promise<LogPosition>;

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
