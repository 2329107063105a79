import { setTimeout } from "node:timers/promises";
import { fetchDocumented } from "./fetch-documented.ts";
import { lastOffer } from "./search-oddities.ts";

/** Time limit for the index to catch up with an import, or to be built, in milliseconds. */
const catchUpLimitMs = 120_000;

/** Poll interval, in milliseconds. */
const intervalMs = 50;

/** Waits until the index has the last writes of catalog, pricing, reviews and changelog. */
export async function untilIndexed(gatewayUrl: string): Promise<void> {
  const deadlineMs = performance.now() + catchUpLimitMs;
  while (!(await isIndexed(gatewayUrl))) {
    if (performance.now() > deadlineMs) throw new Error("the index does not catch up");
    await setTimeout(intervalMs);
  }
}

async function isIndexed(gatewayUrl: string): Promise<boolean> {
  const offers = await fetchDocumented(`${gatewayUrl}/search/v2/search?country=US`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ seller: lastOffer.seller, price: {}, minRating: 10 }),
  });
  const entries = await fetchDocumented(`${gatewayUrl}/search/changelog?query=${lastOffer.word}`);
  const { total } = JSON.parse(offers.body) as { total?: number };
  const { estimatedTotalHits } = JSON.parse(entries.body) as { estimatedTotalHits?: number };
  // Without an index both requests fail.
  return total === 1 && estimatedTotalHits === 1;
}
