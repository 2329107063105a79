import { isDeepStrictEqual } from "node:util";
import type { Region } from "@storefront/domain/identifiers";
import type { Bucket, OfferHits, PriceStatistics } from "../../src/engine/offer-search.ts";
import type { SearchEngine } from "../../src/engine/search-engine.ts";
import { generateSearches } from "./generated-searches.ts";
import { Model } from "./model.ts";

type Hits = Omit<OfferHits, "end">;

/** More offers than an engine returns on one page. */
const listed = 300;

/** Searches whose results differ between engine and model, and the number of searches with results. */
export async function compareWithModel(
  engine: SearchEngine,
  documents: Parameters<typeof generateSearches>[0],
  options: { count: number; regions: readonly Region[]; nowMs: number; choosesTies: boolean },
): Promise<{ differences: unknown[]; foundCount: number }> {
  const model = new Model(documents);
  const differences: unknown[] = [];
  let foundCount = 0;
  for (const search of generateSearches(documents, { ...options, seed: 2 })) {
    const compared = (hits: Hits) =>
      withRoundedAverage(options.choosesTies ? withoutTies(hits) : hits);
    const listing = { ...search, offset: 0, limit: listed };
    const nextPage = {
      ...search,
      offset: search.offset + search.limit,
      limit: 7,
      aggregations: [],
    };
    const expected = [
      compared(model.search(search)),
      model.search(nextPage).offerIds,
      rounded(model.facets(search)),
      model.search(listing).offerIds,
    ];
    const { end, ...hits } = await engine.searchOffers(search);
    const following = end && (await engine.searchOffers({ ...nextPage, after: end }));
    const results = [
      compared(hits),
      following?.offerIds ?? [],
      rounded(await engine.countFacets(search)),
      await engine.listOffers(listing),
    ];
    if (!isDeepStrictEqual(results, expected)) differences.push({ search, results, expected });
    if (model.search(search).total > 0) foundCount += 1;
  }
  return { differences, foundCount };
}

/** Without the values that are as frequent as the last of 250, since there may be more of them. */
function withoutTies(hits: Hits): Hits {
  const entries = Object.entries(hits.aggregations).map(([name, value]) => {
    if (!isBuckets(value) || value.length < 250) return [name, value];
    const last = value.at(-1)?.count ?? 0;
    return [name, value.filter((bucket) => bucket.count > last)];
  });
  return { ...hits, aggregations: { ...hits.aggregations, ...Object.fromEntries(entries) } };
}

function isBuckets(value: unknown): value is readonly Bucket[] {
  return Array.isArray(value);
}

function withRoundedAverage(hits: Hits): Hits {
  const { prices, ...buckets } = hits.aggregations;
  if (prices === undefined) return hits;
  return { ...hits, aggregations: { ...buckets, ...rounded({ prices }) } };
}

/** Sums of floating-point numbers depend on their order. */
function rounded<Counts extends { prices: PriceStatistics }>(counts: Counts): Counts {
  const { avg } = counts.prices;
  return { ...counts, prices: { ...counts.prices, avg: avg && Number(avg.toPrecision(12)) } };
}
