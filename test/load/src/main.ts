// `pnpm bench [--json] [--quick]`: measures every row beside its peer and prints medians and ratios.
import { parseArgs } from "node:util";
import { formatTable } from "./format-table.ts";
import type { MeasuredRow, Row } from "./row.ts";
import { changelogFreshness } from "./rows/changelog-freshness.ts";
import { changelogPage } from "./rows/changelog-page.ts";
import { directGet } from "./rows/direct-get.ts";

// Rows up to this number are quick.
const lastQuickRow = 7;
const rows: readonly Row[] = [directGet, changelogPage, changelogFreshness];

const { values } = parseArgs({
  options: { json: { type: "boolean" }, quick: { type: "boolean" } },
});

const measured: MeasuredRow[] = [];
for (const row of rows) {
  if (values.quick === true && row.number > lastQuickRow) continue;
  process.stderr.write(`${row.number}. ${row.case}\n`);
  const measurement = await row.measure((progress) => process.stderr.write(`   ${progress}\n`));
  measured.push({ number: row.number, case: row.case, ...measurement });
}
process.stdout.write(
  values.json === true ? `${JSON.stringify({ rows: measured })}\n` : formatTable(measured, rows),
);
