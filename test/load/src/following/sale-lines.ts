import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

/** Above every price of the catalogue, in minor units. */
export const salePrice = 900_000_000;

/** Changed prices, as lines of an import. */
export interface Sale {
  readonly lines: readonly string[];
  /** How many of them are in each region. */
  readonly counts: ReadonlyMap<string, number>;
}

interface PriceLine {
  observedAt: string;
  record: { region: string; price: { originalPrice: number; discountPrice: number } };
}

/** The first so many prices of a file in the order of their regions, each changed to a unique amount. */
export async function saleOf(file: string, count: number): Promise<Sale> {
  const text = gunzipSync(await readFile(file)).toString();
  const prices = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as PriceLine)
    .toSorted((a, b) => (a.record.region < b.record.region ? -1 : 1))
    .slice(0, count);
  const counts = new Map<string, number>();
  const lines = prices.map((line, index) => {
    const { region } = line.record;
    counts.set(region, (counts.get(region) ?? 0) + 1);
    const amount = salePrice + index;
    const price = { ...line.record.price, originalPrice: amount, discountPrice: amount };
    return JSON.stringify({
      ...line,
      observedAt: "2026-11-01T00:00:00Z",
      record: { ...line.record, price, updatedAt: "2026-11-01T00:00:00Z" },
    });
  });
  return { lines, counts };
}
