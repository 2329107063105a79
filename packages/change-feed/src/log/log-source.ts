import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";

/** A place in a log. */
export interface LogPosition {
  /** 0 is before the first entry. */
  readonly sequence: bigint;
  /** Of the entry with this sequence; empty when there is none, or when it is not known. */
  readonly identity: string;
}

/** The place before the first entry of any log. */
export const beginningOfLog: LogPosition = { sequence: 0n, identity: "" };

/**
 * What tells an entry from one that had the same sequence in a history that was lost: when it was
 * committed. Two histories never commit the same sequence at the same microsecond (on PGlite, whose
 * clock has no finer ones, millisecond).
 *
 * @param committedUs microseconds since 1970; undefined gives the identity of no entry
 */
export function identityOf(committedUs: bigint | undefined): string {
  return committedUs?.toString(36) ?? "";
}

/** SQL for a `timestamptz` as microseconds since 1970, exactly. */
export function microsecondsSql(column: string): string {
  return `(extract(epoch from ${column}) * 1000000)::int8`;
}

/** Which entries of a log are asked for; a missing member does not restrict. */
export interface LogFilter {
  /** Of one of these kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** Of records whose identity ends with this member, such as the region of a price. */
  readonly lastKeyMember?: string | undefined;
}

/** A log that can be followed by sequence. */
export interface LogSource {
  /**
   * What follows a sequence, oldest first, at most `maxEntries` entries and {@link maxBatchBytes}
   * bytes; a single larger entry comes alone. All of one snapshot.
   *
   * @param filter undefined means all.
   * @param maxEntries at most and by default {@link maxBatchEntries}.
   */
  read(after: bigint, filter?: LogFilter, maxEntries?: number): Promise<LogBatch>;
  /** The newest entry of the log; {@link beginningOfLog} when it is empty. */
  newest(): Promise<LogPosition>;
  extent(): Promise<LogExtent>;
  /** Tells this log from any other, whatever is appended; empty while the log is. */
  id(): Promise<string>;
}

/** How much there is of a log. */
export interface LogExtent {
  /** Entries, at most: sequences have gaps. */
  readonly length: bigint;
  /** The oldest sequence; 0 while the log is empty. */
  readonly oldest: bigint;
  /** When the oldest of them was committed; undefined while the log is empty. */
  readonly oldestAt: Date | undefined;
  /** Entries up to this sequence are no longer kept; 0 while all are. */
  readonly start: bigint;
  /** What they take in the database, indexes included. */
  readonly sizeBytes: bigint;
}

/** A stretch of a log. */
export interface LogBatch {
  /** The entries asked for, each serialized whole. */
  readonly entries: readonly Uint8Array[];
  /** What stands at the sequence after which it begins. */
  readonly at: LogPosition;
  /** Entries up to this sequence are no longer kept; 0 while all are. */
  readonly start: bigint;
  /** Every entry asked for up to here is in this batch or in an earlier one: an entry, or `at`. */
  readonly through: LogPosition;
  /** The newest entry of the log, of any kind, when it was read. */
  readonly newest: LogPosition;
}

export const maxBatchEntries = 500;

/** Bytes of entries in one batch: less than the 4 MiB that any gRPC client reads. */
export const maxBatchBytes = 1024 * 1024;

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
    message: `entries up to sequence ${start} are no longer stored`,
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
