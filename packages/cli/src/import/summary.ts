import type { LineError, Place } from "./place.ts";

/** What became of the observations of one kind. */
export interface KindCounts {
  read: number;
  written: number;
  unchanged: number;
  stale: number;
  rejected: number;
}

/** The summary of an import as docs/import-format.md describes it; `--json` writes exactly this. */
export interface ImportSummary {
  /** The kinds that occurred. */
  kinds: Record<string, KindCounts>;
  unknownMembers: number;
  /**
   * Lines that were sent more than once because a connection broke; absent when there were none. What
   * had been stored before its answer was lost counts as unchanged, or as stale when a later state of
   * the record came with it.
   */
  sentAgain?: number;
  errors: LineError[];
}

/** Collects the summary of an import while it runs. */
export interface SummaryRecorder {
  /** A line of this kind was read. */
  read(kind: string): void;
  /** The service answered. */
  settled(kind: string, outcome: "written" | "unchanged" | "stale"): void;
  unknownMembers(count: number): void;
  /** Lines were answered that had been sent more than once. */
  sentAgain(count: number): void;
  /** A line was not applied; of no kind when it was not even an observation. */
  rejected(place: Place, reason: string, kind?: string): void;
  /** Lines that were not applied. */
  readonly rejectedCount: number;
  /** Observations that the services answered. */
  readonly settledCount: number;
  result(): ImportSummary;
}

/**
 * @param onError told of each line that was not applied.
 * @param keepErrors whether the result lists them; a file of nothing but errors needs the memory.
 */
export function createSummaryRecorder(
  onError: (error: LineError) => void,
  keepErrors: boolean,
): SummaryRecorder {
  const kinds: Record<string, KindCounts> = {};
  const errors: LineError[] = [];
  let unknownMembers = 0;
  let sentAgain = 0;
  let rejectedCount = 0;
  let settledCount = 0;
  const countsOf = (kind: string) =>
    (kinds[kind] ??= { read: 0, written: 0, unchanged: 0, stale: 0, rejected: 0 });
  return {
    read(kind) {
      countsOf(kind).read += 1;
    },
    settled(kind, outcome) {
      countsOf(kind)[outcome] += 1;
      settledCount += 1;
    },
    unknownMembers(count) {
      unknownMembers += count;
    },
    sentAgain(count) {
      sentAgain += count;
    },
    rejected({ file, line }, reason, kind) {
      rejectedCount += 1;
      if (kind !== undefined) countsOf(kind).rejected += 1;
      const error = { file, line, reason };
      onError(error);
      if (keepErrors) errors.push(error);
    },
    get rejectedCount() {
      return rejectedCount;
    },
    get settledCount() {
      return settledCount;
    },
    result: () => ({ kinds, unknownMembers, ...(sentAgain > 0 && { sentAgain }), errors }),
  };
}
