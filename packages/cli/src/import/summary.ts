import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import type { Terminal } from "../terminal.ts";
import type { BatchResponse } from "./ingest-services.ts";

/** The position of a line. */
export interface LinePosition {
  /** As named on the command line. */
  file: string;
  /** From 1. */
  line: number;
}

/** A line that was not applied, with the reason. */
interface LineError extends LinePosition {
  /** A sentence for people. */
  reason: string;
}

/** A line that was sent to a service. */
export interface SentLine {
  kind: string;
  position: LinePosition;
}

/** Outcomes of the observations of one kind. */
export interface KindCounts {
  read: number;
  written: number;
  unchanged: number;
  stale: number;
  rejected: number;
}

/** The summary of an import, see docs/import-format.md; `--json` writes exactly this. */
export interface ImportSummary {
  /** The kinds that occurred. */
  kinds: Record<string, KindCounts>;
  unknownMembers: number;
  /**
   * Lines that were sent more than once because a connection broke; absent when there were none. One
   * that was stored before its response was lost counts as unchanged, or as stale when a later state of
   * the record was sent with it.
   */
  sentAgain?: number | undefined;
  errors: LineError[];
}

const outcomeNames = new Map<IngestOutcome | undefined, "written" | "unchanged" | "stale">([
  [IngestOutcome.WRITTEN, "written"],
  [IngestOutcome.UNCHANGED, "unchanged"],
  [IngestOutcome.STALE, "stale"],
]);

const columns = ["read", "written", "unchanged", "stale", "rejected"] as const;

/** Collects the summary of an import while it runs. */
export interface SummaryRecorder {
  /** A line of this kind was read. */
  read(kind: string): void;
  /** The service has responded to a batch of these lines. */
  settled(lines: readonly SentLine[], response: BatchResponse): void;
  /** Adds the counts of another summary, without its errors. */
  counted(summary: Omit<ImportSummary, "errors">): void;
  unknownMembers(count: number): void;
  /** Lines that were sent more than once are settled. */
  sentAgain(count: number): void;
  /** A line was not applied; without a kind when it was not an observation. */
  rejected(position: LinePosition, reason: string, kind?: string): void;
  /** Lines that were not applied. */
  readonly rejectedCount: number;
  /** Observations that the services applied, or had already. */
  readonly settledCount: number;
  result(): ImportSummary;
}

/**
 * @param onError called for each line that was not applied, with its kind if it has one.
 * @param errorsMax how many of them the result lists; each takes memory.
 */
export function createSummaryRecorder(
  onError: (error: LineError, kind?: string) => void,
  errorsMax: number,
): SummaryRecorder {
  const kinds: Record<string, KindCounts> = {};
  const errors: LineError[] = [];
  let unknownMembers = 0;
  let sentAgain = 0;
  let rejectedCount = 0;
  let settledCount = 0;
  const countsOf = (kind: string) =>
    (kinds[kind] ??= { read: 0, written: 0, unchanged: 0, stale: 0, rejected: 0 });
  const rejected = ({ file, line }: LinePosition, reason: string, kind?: string) => {
    rejectedCount += 1;
    if (kind !== undefined) countsOf(kind).rejected += 1;
    const error = { file, line, reason };
    onError(error, kind);
    if (errors.length < errorsMax) errors.push(error);
  };
  return {
    read(kind) {
      countsOf(kind).read += 1;
    },
    settled(lines, { outcomes, rejections }) {
      if (outcomes.length !== lines.length) throw new Error("a response of the wrong length");
      const reasons = new Map(rejections.map(({ index, reason }) => [index, reason]));
      for (const [index, { kind, position }] of lines.entries()) {
        const outcome = outcomeNames.get(outcomes[index]);
        if (outcome === undefined) {
          rejected(position, reasons.get(index) ?? "the service rejected it", kind);
        } else {
          countsOf(kind)[outcome] += 1;
          settledCount += 1;
        }
      }
    },
    counted(summary) {
      for (const [kind, counts] of Object.entries(summary.kinds)) {
        const sums = countsOf(kind);
        for (const outcome of columns) sums[outcome] += counts[outcome];
      }
      unknownMembers += summary.unknownMembers;
      sentAgain += summary.sentAgain ?? 0;
    },
    unknownMembers(count) {
      unknownMembers += count;
    },
    sentAgain(count) {
      sentAgain += count;
    },
    rejected,
    get rejectedCount() {
      return rejectedCount;
    },
    get settledCount() {
      return settledCount;
    },
    result: () => ({ kinds, unknownMembers, ...(sentAgain > 0 && { sentAgain }), errors }),
  };
}

/** Writes a summary as a table for people. */
export function printSummary(terminal: Terminal, recorder: SummaryRecorder): void {
  const summary = recorder.result();
  const { rejectedCount } = recorder;
  terminal.out(row("kind", columns));
  for (const [kind, counts] of Object.entries(summary.kinds)) {
    terminal.out(
      row(
        kind,
        columns.map((column: keyof KindCounts) => String(counts[column])),
      ),
    );
  }
  if (summary.unknownMembers > 0) {
    terminal.out(`${summary.unknownMembers} unknown members were ignored.`);
  }
  if (summary.sentAgain !== undefined) {
    terminal.out(
      `${summary.sentAgain} lines were sent again after a connection broke; those stored before count as unchanged or stale.`,
    );
  }
  if (rejectedCount > 0) terminal.out(`${rejectedCount} lines were not applied.`);
}

function row(kind: string, cells: readonly string[]): string {
  return [kind.padEnd(12), ...cells.map((cell) => cell.padStart(10))].join("");
}
