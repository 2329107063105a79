import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import type { Region } from "@storefront/domain/identifiers";
import { Seeded } from "@storefront/testkit";
import { everything } from "../../src/domain/offer-filter.ts";
import type { OfferFilter, OfferSearch, OfferSortKey } from "../../src/engine/offer-search.ts";
import type { FacetQuery } from "../../src/domain/facet-query.ts";
import { aggregationNames, countedFields, valuesOf } from "../../src/domain/offer-terms.ts";
import type { OfferDocument } from "../../src/engine/index-documents.ts";
import type { Documents } from "./generated-documents.ts";

const orders: readonly OfferSortKey[] = [
  "releaseDate",
  "lastModifiedDate",
  "effectiveDate",
  "creationDate",
  "viewableDate",
  "pcReleaseDate",
  "upcoming",
  "price",
  "discount",
  "discountPercent",
  "priceUpdatedAt",
  "lowestFor",
  "giveawayDate",
];
const only: Readonly<Partial<Record<OfferSortKey, OfferFilter["only"]>>> = {
  releaseDate: "released",
  upcoming: "upcoming",
  giveawayDate: "givenAway",
  lowestFor: "out",
};

const { UNSPECIFIED, EVER, DAYS_365, DAYS_90, DAYS_30 } = LowWindow;
const windows = [EVER, DAYS_365, DAYS_90, DAYS_30];

const counted = [...countedFields];

/** Part of a value of an offer, in any case, sometimes followed by another one. */
function typedInto(
  [of, field]: (typeof counted)[number],
  offer: OfferDocument,
  random: Seeded,
): FacetQuery | undefined {
  const pieces = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => {
    const letters = Array.from(random.pick(["zz", "", ...valuesOf(offer, field)]));
    const from = random.chance(0.5) ? 0 : random.below(letters.length);
    const piece = letters.slice(from, from + 1 + random.below(random.pick([2, 5, 20]))).join("");
    return random.chance(0.5) ? piece.toUpperCase() : piece;
  });
  const text = pieces.join(" ").trim();
  return text === "" ? undefined : { of, text };
}

/** Searches without text, from a seed: every filter, order and page, with values of the documents. */
export function generateSearches(
  documents: Documents,
  {
    count,
    seed,
    regions,
    nowMs,
  }: { count: number; seed: number; regions: readonly Region[]; nowMs: number },
): OfferSearch[] {
  const random = new Seeded(seed);
  const offer = () => random.pick(documents.offers);
  const sometimes = <Value>(share: number, value: () => Value) =>
    random.chance(share) ? value() : undefined;
  const price = () => BigInt(random.below(8) * 500);
  return Array.from({ length: count }, (_, index) => {
    const key = orders[index % orders.length] ?? "price";
    const filter: OfferFilter = {
      ...everything,
      offerTypes: sometimes(0.3, () => [offer(), offer()].flatMap((o) => o.offerType || [])) ?? [],
      tagIds: sometimes(0.3, () => random.some(offer().tagIds, 2)) ?? [],
      technologies: sometimes(0.2, () => random.some(offer().technologies, 2)) ?? [],
      categories:
        sometimes(0.2, () => [...offer().categories, ...random.some(["none/such"], 1)]) ?? [],
      customAttributes: sometimes(0.2, () => random.some(offer().customAttributes, 2)) ?? [],
      sellerId: sometimes(0.1, () => offer().sellerId),
      developerDisplayName: sometimes(0.1, () => offer().developer || undefined),
      publisherDisplayName: sometimes(0.1, () => offer().publisher || "nobody"),
      refundType: sometimes(0.2, () => offer().refundType),
      isCodeRedemptionOnly: sometimes(0.2, () => random.chance(0.5)),
      price: sometimes(0.3, () => ({ min: sometimes(0.6, price), max: sometimes(0.6, price) })),
      onSale: sometimes(0.3, () => random.chance(0.6)),
      isLowestPrice: random.chance(0.1),
      lowestPriceOf: random.chance(0.85) ? UNSPECIFIED : random.pick(windows),
      minRating: sometimes(0.1, () => random.below(20) / 2),
      excludeBlockchain: random.chance(0.2),
      pastGiveaways: random.chance(0.1),
      only: only[key],
    };
    return {
      filter,
      order: { key, isAscending: random.chance(0.5) },
      region: random.pick(regions),
      nowMs,
      offset: random.chance(0.3) ? random.below(40) : 0,
      limit: 1 + random.below(30),
      aggregations: random.chance(0.7)
        ? aggregationNames
        : random.some(aggregationNames, aggregationNames.length),
      isDisjunctive: index % 2 === 1,
      facetQuery: sometimes(0.5, () => typedInto(random.pick(counted), offer(), random)),
    };
  });
}
