import type { MeasuredRow, Row } from "./row.ts";

/** The table in Markdown: one line per row, with its goal. */
export function formatTable(measured: readonly MeasuredRow[], rows: readonly Row[]): string {
  const goals = new Map(
    rows.map((row) => [row.case, `${row.goalIs === "at most" ? "≤" : "≥"} ${row.goal}`]),
  );
  const lines = measured.map(
    ({ number, case: name, ours, peer, ratio, p99Ratio }) =>
      `| ${number} | ${name} | ${ours.toFixed(0)} | ${peer.toFixed(0)} | ${ratio.toFixed(2)} | ${goals.get(name)} | ${p99Ratio?.toFixed(2) ?? ""} |`,
  );
  return [
    "| # | case | ours | peer | ratio | goal | p99 ratio |",
    "|---|---|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
