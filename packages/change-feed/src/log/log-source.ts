import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";

/** A position in a log. */
export interface LogPosition {
  /** 0 is before the first entry. */
  readonly sequence: bigint;
  /** Of the entry with this sequence; empty when there is none or it is unknown. */
  readonly identity: string;
}

/** The position before the first entry of any log. */
export const beginningOfLog: LogPosition = { sequence: 0n, identity: "" };

/**
 * Distinguishes an entry from one with the same sequence in a lost history, by its time of commit. Two histories never
 * commit a sequence at the same microsecond (PGlite: millisecond, the resolution of its clock).
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

/** A missing member does not restrict. */
export interface LogFilter {
  readonly kinds?: readonly string[] | undefined;
  /** Last identity member of the record, such as the region of a price. */
  readonly lastKeyMember?: string | undefined;
}

export interface LogSource {
  /**
   * Entries after a sequence, oldest first, at most `maxEntries` and {@link maxBatchBytes}; a larger entry is
   * alone in its batch. All of one database snapshot.
   *
   * @param filter undefined means all
   * @param maxEntries default and maximum {@link maxBatchEntries}
   */
  read(after: bigint, filter?: LogFilter, maxEntries?: number): Promise<LogBatch>;
  /** The newest position; {@link beginningOfLog} for an empty log. */
  newest(): Promise<LogPosition>;
  extent(): Promise<LogExtent>;
  /** Identifies this log; does not change when entries are appended or deleted. Empty while the log is empty. */
  id(): Promise<string>;
}

export interface LogExtent {
  /** Upper bound of entries: sequences have gaps. */
  readonly length: bigint;
  /** The oldest sequence; 0 while the log is empty. */
  readonly oldest: bigint;
  /** Commit time of the oldest entry; undefined while the log is empty. */
  readonly oldestAt: Date | undefined;
  /** Entries up to this sequence are deleted; 0 while none is. */
  readonly start: bigint;
  /** Size in the database, including indexes. */
  readonly sizeBytes: bigint;
}

export interface LogBatch {
  /** The matching entries, serialized. */
  readonly entries: readonly Uint8Array[];
  /** The position at the sequence after which the batch begins. */
  readonly at: LogPosition;
  /** Entries up to this sequence are deleted; 0 while none is. */
  readonly start: bigint;
  /** All matching entries up to here are in this batch or earlier ones: an entry's position, or `at`. */
  readonly through: LogPosition;
  /** The newest entry of the log, of any kind, at the time of the read. */
  readonly newest: LogPosition;
}

export const maxBatchEntries = 500;

/** Bytes of entries in one batch: less than the 4 MiB that any gRPC client reads. */
export const maxBatchBytes = 1024 * 1024;

/**
 * Checks that a batch continues the log at a position.
 *
 * @throws ServiceError LOG_DIVERGED when the log has another entry there, or ends before it; LOG_PRUNED when
 * entries after it are deleted.
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
