import { generateCatalogue } from "@storefront/sample-data";
import { sharedData } from "@storefront/testkit";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

const generatedOffers = 3000;
const dayMs = 24 * 60 * 60 * 1000;
const now = new Date("2026-01-01T00:00:00Z");

/** Import files of the same prices, not compressed. */
export interface PriceFiles {
  first: string;
  /** Seen a day later. */
  later: string;
  lines: number;
  /** Whether they are the real ones. */
  isReal: boolean;
}

/** Writes the real prices where they are at hand, else as many that are generated. */
export async function writePrices(file: (name: string) => string): Promise<PriceFiles> {
  const shared = sharedData();
  const lines =
    shared === undefined ? generatedLines() : await realLines(shared.importFiles.prices);
  const files = { first: file("prices.ndjson"), later: file("later.ndjson") };
  await writeFile(files.first, lines.join("\n"));
  await writeFile(files.later, lines.map(aDayLater).join("\n"));
  return { ...files, lines: lines.length, isReal: shared !== undefined };
}

async function realLines(file: string): Promise<string[]> {
  return gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split("\n");
}

function generatedLines(): string[] {
  const catalogue = generateCatalogue({ offers: generatedOffers, seed: "prices", now });
  const prices = catalogue.filter(({ kind }) => kind === "price");
  return prices.map((observation) => JSON.stringify(observation)).toArray();
}

function aDayLater(line: string): string {
  const observation = JSON.parse(line) as { observedAt: string };
  const observedAt = new Date(Date.parse(observation.observedAt) + dayMs).toISOString();
  return JSON.stringify({ ...observation, observedAt });
}
