import type { OfferDocument, OfferFilter, SearchEngine } from "@storefront/service-search";
import { sharedData } from "@storefront/testkit";
import { describe, expect, it } from "vitest";
import { mean, reciprocalRank } from "./measures.ts";
import { generatedCatalogue, realCatalogue } from "./catalogues.ts";
import { startIndex } from "./start-index.ts";
import { titleKey, titleQueries } from "./title-queries.ts";

const queryCount = 100;
const real = sharedData();

describe("searches by title", () => {
  it("put the right generated offer first, misspelt or not", async () => {
    const { misspeltFirst, firstShare } = await measure(
      "generated",
      generatedCatalogue(2_000, 2).offers,
    );
    expect(misspeltFirst).toBeGreaterThanOrEqual(0.9);
    expect(firstShare).toBeGreaterThanOrEqual(0.9);
  });

  it.skipIf(real === undefined)("put the right real offer first, misspelt or not", async () => {
    const offers = real === undefined ? [] : (await realCatalogue(real)).offers;
    const { misspeltFirst, firstShare } = await measure("real", offers);
    expect(misspeltFirst).toBeGreaterThanOrEqual(0.9);
    expect(firstShare).toBeGreaterThanOrEqual(0.9);
  });
});

/** Shares of queries whose first offer is right: of the misspelt ones, and of all. */
async function measure(
  name: string,
  offers: readonly OfferDocument[],
): Promise<{ misspeltFirst: number; firstShare: number }> {
  const index = await startIndex(offers);
  try {
    const titles = new Map(offers.map(({ offerId, title }) => [offerId, title ?? ""]));
    const results: { isMisspelt: boolean; rank: number }[] = [];
    for (const { text, title, kind } of titleQueries(offers, queryCount)) {
      const ids = await find(index.engine, text);
      const right = ids.map((id) => titleKey(titles.get(id) ?? "") === titleKey(title));
      results.push({ isMisspelt: kind === "misspelt", rank: reciprocalRank(right) });
      if (right[0] !== true) {
        const first = titles.get(ids[0] ?? "") ?? "nothing";
        process.stderr.write(`${name}: ${text} found ${first}, not ${title}\n`);
      }
    }
    const misspelt = results.filter(({ isMisspelt }) => isMisspelt);
    const shareFirst = (of: typeof results) => mean(of.map(({ rank }) => Number(rank === 1)));
    const misspeltFirst = shareFirst(misspelt);
    process.stderr.write(
      `${name} titles: MRR ${mean(results.map(({ rank }) => rank)).toFixed(3)} over ${results.length} queries, ` +
        `${misspelt.length} of them misspelt: MRR ${mean(misspelt.map(({ rank }) => rank)).toFixed(3)}, ` +
        `right offer first in ${(misspeltFirst * 100).toFixed(1)} %\n`,
    );
    return { misspeltFirst, firstShare: shareFirst(results) };
  } finally {
    await index.close();
  }
}

async function find(engine: SearchEngine, text: string): Promise<readonly string[]> {
  const { offerIds } = await engine.searchOffers({
    filter: { ...everything, text },
    order: { key: "relevance", isAscending: false },
    region: "US",
    nowMs: 0,
    offset: 0,
    limit: 20,
  });
  return offerIds;
}

const everything: OfferFilter = {
  text: undefined,
  offerTypes: [],
  tagIds: [],
  technologies: [],
  categories: [],
  customAttributes: [],
  sellerId: undefined,
  developer: undefined,
  publisher: undefined,
  refundType: undefined,
  isCodeRedemptionOnly: undefined,
  price: undefined,
  onSale: undefined,
  isLowestPrice: false,
  excludeBlockchain: false,
  pastGiveaways: false,
  only: undefined,
};
