import type { MeasuredRow, Row } from "./row.ts";

/** The table for people: one line per row, with its goal. */
export function formatTable(measured: readonly MeasuredRow[], rows: readonly Row[]): string {
  const goals = new Map(rows.map(({ number, goal }) => [number, goal]));
  const lines = measured.map(
    ({ number, case: name, ours, peer, ratio }) =>
      `| ${number} | ${name} | ${ours.toFixed(0)} | ${peer.toFixed(0)} | ${ratio.toFixed(2)} | ≥ ${goals.get(number)} |`,
  );
  return [
    "| # | case | ours/s | peer/s | ratio | goal |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
