import type { Database } from "@storefront/database";
import type { Region } from "@storefront/identifiers";
import { countOffers } from "../domain/count-offers.ts";
import type { AggregationName, OfferAggregations } from "../engine/offer-search.ts";
import { readDocuments } from "../indexing/index-changes.ts";

/** Counts over offers by id, out of what indexes are made of: the same whatever engine found them. */
export async function countMatches(
  database: Database,
  offerIds: readonly string[],
  { region, aggregations }: { region: Region; aggregations: readonly AggregationName[] },
): Promise<Partial<OfferAggregations>> {
  const hasPrices = aggregations.includes("prices");
  const scopes = hasPrices ? offerIds.map((offerId) => ({ offerId, regions: [region] })) : [];
  const { offers = [], prices = [] } = await database.transaction(
    (tx) => readDocuments(tx, { offers: offerIds, prices: scopes }),
    { readOnly: true },
  );
  const inRegion = prices.flatMap((each) => each.prices);
  return countOffers(
    offers,
    inRegion.map(({ discountPrice }) => discountPrice),
    aggregations,
  );
}
