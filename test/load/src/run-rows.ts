// `pnpm bench [--json] [--quick] [--rows 2,3]`: measures every row
// beside its peer and prints medians and ratios.
import { parseArgs } from "node:util";
import { catalogueRows } from "./catalogue/catalogue-rows.ts";
import { formatTable } from "./format-table.ts";
import type { MeasuredRow, Row, RowGroup, RowSettings } from "./row.ts";
import { changelogFreshness } from "./rows/changelog-freshness.ts";
import { crowd } from "./rows/crowd.ts";
import { dependencyAway } from "./rows/dependency-away.ts";
import { directGet } from "./rows/direct-get.ts";
import { laptopStart } from "./rows/laptop-start.ts";
import { ingestMemory, ingestRate } from "./rows/ingest-http.ts";
import { edgeFreshness } from "./rows/edge-freshness.ts";
import { mirrorLag } from "./rows/mirror-lag.ts";
import { mirrorMemory } from "./rows/mirror-memory.ts";
import { offerSearch } from "./rows/offer-search.ts";
import { regionRows } from "./rows/one-region.ts";
import { overload } from "./rows/overload.ts";
import { priceChangeFreshness } from "./rows/price-change-freshness.ts";
import { serviceMemory } from "./rows/service-memory.ts";
import { serviceStart } from "./rows/service-start.ts";
import { silentDatabase } from "./rows/silent-database.ts";
import { stalledFeed } from "./rows/stalled-feed.ts";
import { webhookDelivery } from "./rows/webhook-delivery.ts";
import { writesBeside } from "./rows/writes-beside.ts";

// Rows up to this number are quick.
const lastQuickRow = 7;

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    quick: { type: "boolean" },
    /** Numbers of the rows to measure; default all. */
    rows: { type: "string" },
  },
});
const chosen = values.rows?.split(",").map(Number);
const settings: RowSettings =
  values.quick === true ? { roundSeconds: 1, rounds: 3 } : { roundSeconds: 4, rounds: 5 };

function alone(row: Row): RowGroup {
  return { rows: [row], stop: async () => undefined };
}

const groups: readonly RowGroup[] = [
  catalogueRows(),
  alone(directGet),
  ...offerSearch().map(alone),
  alone(changelogFreshness),
  alone(priceChangeFreshness),
  alone(edgeFreshness),
  alone(mirrorLag),
  alone(mirrorMemory),
  alone(ingestRate),
  alone(ingestMemory),
  regionRows(),
  alone(webhookDelivery),
  ...writesBeside().map(alone),
  ...dependencyAway().map(alone),
  ...crowd().map(alone),
  ...overload().map(alone),
  alone(serviceStart),
  alone(serviceMemory),
  ...silentDatabase().map(alone),
  alone(stalledFeed),
  ...laptopStart().map(alone),
];

function isWanted({ number }: Row): boolean {
  if (chosen !== undefined) return chosen.includes(number);
  return values.quick !== true || number <= lastQuickRow;
}

const measured: MeasuredRow[] = [];
for (const group of groups) {
  try {
    for (const row of group.rows.filter(isWanted)) {
      process.stderr.write(`${row.number}. ${row.case}\n`);
      const report = (progress: string) => process.stderr.write(`   ${progress}\n`);
      const measurement = await row.measure(report, settings);
      measured.push({ number: row.number, case: row.case, ...measurement });
    }
  } finally {
    await group.stop();
  }
}
measured.sort((a, b) => a.number - b.number);
process.stdout.write(
  values.json === true
    ? `${JSON.stringify({ rows: measured })}\n`
    : formatTable(
        measured,
        groups.flatMap(({ rows }) => rows),
      ),
);
