import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";

/**
 * Why a follower cannot go on from where it is: the log has lost a part of its history, as by a restored
 * backup, or no longer keeps what comes next.
 */
export const feedLosses = ["diverged", "pruned"] as const;

/** One of {@link feedLosses}. */
export type FeedLoss = (typeof feedLosses)[number];

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
