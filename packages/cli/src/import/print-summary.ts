import type { Terminal } from "../terminal/terminal.ts";
import type { ImportSummary, KindCounts } from "./summary.ts";

const columns = ["read", "written", "unchanged", "stale", "rejected"] as const;

/** Writes a summary as a table for people. */
export function printSummary(
  terminal: Terminal,
  summary: ImportSummary,
  rejectedCount: number,
): void {
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
    terminal.out(`${summary.unknownMembers} unknown members were kept out.`);
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
