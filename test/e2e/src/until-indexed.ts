import { setTimeout } from "node:timers/promises";
import { fetchDocumented } from "./fetch-documented.ts";
import { lastOffer } from "./search-oddities.ts";

/** How long the index may take to catch up with an import, or to be built, in milliseconds. */
const catchUpLimitMs = 120_000;

/** How often it is looked at, in milliseconds. */
const intervalMs = 50;

/** Waits until the index has what the catalog, the pricing, the reviews and the changelog wrote last. */
export async function untilIndexed(gatewayUrl: string): Promise<void> {
  const giveUpAtMs = performance.now() + catchUpLimitMs;
  while (!(await isIndexed(gatewayUrl))) {
    if (performance.now() > giveUpAtMs) throw new Error("the index does not catch up");
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
  // Before there is an index both are refused.
  return total === 1 && estimatedTotalHits === 1;
}
