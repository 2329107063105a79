import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import type { LogBatch } from "./log-source.ts";
import type { LogPosition } from "./log-position.ts";

/**
 * Passes when what was read after a position is all that follows it.
 *
 * @throws ServiceError LOG_DIVERGED when the log holds another entry there, or ends before it;
 * LOG_PRUNED when entries after it are no longer kept.
 */
export function checkPosition(after: LogPosition, { at, start, newest }: LogBatch): void {
  if (after.sequence < start) throw pruned(start);
  const isAnother = after.identity !== "" && at.identity !== after.identity;
  if (isAnother || after.sequence > newest.sequence) throw diverged(after, newest);
}

function pruned(start: bigint): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.LOG_PRUNED,
    message: `entries up to sequence ${start} are no longer kept`,
    metadata: { oldestSequence: String(start + 1n) },
  });
}

function diverged({ sequence }: LogPosition, newest: LogPosition): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.LOG_DIVERGED,
    message:
      sequence > newest.sequence
        ? `the log ends at sequence ${newest.sequence}, before ${sequence}`
        : `the entry at sequence ${sequence} is another one: a part of the log's history was lost`,
    metadata: { newestSequence: String(newest.sequence) },
  });
}
