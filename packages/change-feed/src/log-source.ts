import type { LogPosition } from "./log-position.ts";

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
  /** How much there is of the log. */
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

/** Most entries of one batch. */
export const maxBatchEntries = 500;

/** Bytes of entries in one batch: less than the 4 MiB that any gRPC client reads. */
export const maxBatchBytes = 1024 * 1024;
