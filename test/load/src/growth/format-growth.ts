import type { GrowthFigures } from "./measure-growth.ts";
import type { ReadCost } from "./measure-read.ts";

const gibibyte = 1024 ** 3;

/** Tables in Markdown: the costs of each size, and each read by size. */
export function formatGrowth(all: readonly GrowthFigures[]): string {
  const sizes = table(
    ["offers", "prices", "import, lines/s", "database", "index", "reindex", "its peak memory"],
    all.map(({ offers, prices, importPerSecond, databaseBytes, indexBytes, reindex }) => [
      offers.toLocaleString("en"),
      prices.toLocaleString("en"),
      Math.round(importPerSecond).toLocaleString("en"),
      `${(databaseBytes / gibibyte).toFixed(1)} GiB`,
      indexBytes === undefined ? "" : `${(indexBytes / offers / 1_000).toFixed(1)} kB an offer`,
      reindex === undefined ? "" : `${reindex.seconds.toFixed(0)} s`,
      reindex === undefined ? "" : `${reindex.peakMib} MiB`,
    ]),
  );
  const names = all[0]?.reads.map(({ name }) => name) ?? [];
  const rows = names.flatMap((name) => all.map((figures) => readRow(name, figures)));
  const heads = [
    "read",
    "offers",
    "p50, ms",
    "p99, ms",
    "p50 of 8, ms",
    "p99 of 8, ms",
    "of 8, requests/s",
    "CPU ms: gateway",
    "services",
    "database",
    "bytes",
    "not 200",
  ];
  return `${sizes}\n${table(heads, rows)}`;
}

function readRow(name: string, { offers, reads }: GrowthFigures): string[] {
  const read: ReadCost | undefined = reads.find((each) => each.name === name);
  if (read === undefined) return [name, offers.toLocaleString("en")];
  const { alone, eight, processorMs, answerBytes, refused, asked } = read;
  return [
    name,
    offers.toLocaleString("en"),
    ...[alone.p50Ms, alone.p99Ms, eight.p50Ms, eight.p99Ms].map((ms) => ms.toFixed(1)),
    eight.perSecond.toFixed(0),
    ...["gateway", "services", "database"].map((part) => (processorMs[part] ?? 0).toFixed(2)),
    Math.round(answerBytes).toLocaleString("en"),
    refused === 0 ? "0" : `${refused} of ${asked}`,
  ];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
