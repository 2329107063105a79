import { regions } from "@storefront/domain/regions";
import { makeTemporaryDirectory } from "@storefront/testkit";
import { readFile, rm } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { formatGrowth } from "./format-growth.ts";
import { growthLines, modelRegion } from "./growth-lines.ts";
import type { GrowthFigures } from "./measure-growth.ts";
import { plotGrowth } from "./plot-growth.ts";
import { writeParts } from "./write-parts.ts";

interface Line {
  kind: string;
  record: { id: string; offerId: string; region: string };
}

it("generates as many offers as requested, each with a price in the region that the others are copied from", () => {
  const lines = growthLines(30)
    .map((line) => JSON.parse(line) as Line)
    .toArray();
  const offers = lines.filter(({ kind }) => kind === "offer").map(({ record }) => record.id);
  const prices = lines.filter(({ kind }) => kind === "price").map(({ record }) => record);
  expect(new Set(offers).size).toBe(30);
  const ofModel = prices.filter(({ region }) => region === modelRegion);
  expect(ofModel.map(({ offerId }) => offerId).toSorted()).toEqual([...new Set(offers)].toSorted());
  const known = new Set<string>(regions.map(({ region }) => region));
  expect(prices.every(({ region }) => known.has(region))).toBe(true);
});

it("rewrites missing parts with the same lines", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const write = () => writeParts(directory.path, ["a", "b", "c", "d", "e"].values(), 2);
  const textOf = async (path: string) => gunzipSync(await readFile(path)).toString();
  const parts = await write();
  await rm(parts[1] ?? "");
  expect(await write()).toEqual(parts);
  expect(await Promise.all(parts.map(textOf))).toEqual(["a\nb\n", "c\nd\n", "e\n"]);
});

it("shows each read at each size in the table and in the plot", () => {
  const figuresOf = (offers: number, p50Ms: number): GrowthFigures => ({
    offers,
    prices: offers * 52,
    importPerSecond: 1_000,
    databaseBytes: 2 ** 30,
    indexBytes: undefined,
    reindex: undefined,
    measuredAt: "2026-01-01T00:00:00Z",
    reads: [
      {
        name: "get",
        alone: { p50Ms, p99Ms: 9 },
        eight: { p50Ms: 8, p99Ms: 20, perSecond: 700 },
        processorMs: { gateway: 1, services: 1, database: 0.5 },
        answerBytes: 2_048,
        refused: 1,
        asked: 50,
      },
    ],
  });
  const all = [figuresOf(5_000, 1), figuresOf(50_000, 10)];
  expect(formatGrowth(all)).toContain("| get | 50,000 | 10.0 | 9.0 | 8.0 | 20.0 | 700 |");
  expect(plotGrowth(all)).toMatch(/<polyline [^>]*points="60.0,410.0 590.0,30.0"\/>/);
});
