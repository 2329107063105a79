import type { LogEntry } from "./log-entry.ts";

/**
 * Gives every current record of these kinds, undefined meaning all, as entries without changes, in
 * whatever order. What is written meanwhile may be given as it was or as it is. Holds a page of them
 * in memory, and no transaction.
 */
export type CurrentRecords = (kinds: readonly string[] | undefined) => AsyncIterable<LogEntry>;
