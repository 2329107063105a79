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
