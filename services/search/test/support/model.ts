import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import { neverLowerMs } from "@storefront/domain/price-lows";
import { countValues, idSeparator, valueContains } from "@storefront/testkit";
import type { OfferDocument, PriceDocument } from "../../src/engine/index-documents.ts";
import type { CountName } from "../../src/domain/offer-fields.ts";
import type {
  Bucket,
  FacetCounts,
  OfferFilter,
  OfferAggregations,
  OfferHits,
  OfferSearch,
  OfferSortKey,
} from "../../src/engine/offer-search.ts";
import type { Documents } from "./generated-documents.ts";

interface Row {
  readonly offer: OfferDocument;
  readonly price: PriceDocument | undefined;
}

/** The expected results of searches without text, by plain filtering. */
export class Model {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  search(search: OfferSearch): Omit<OfferHits, "end"> {
    const rows = this.#filter(search).toSorted((a, b) => compare(search, a, b));
    const page = rows.slice(search.offset, search.offset + search.limit);
    const rowsFor = (own?: Partial<OfferFilter>) =>
      search.isDisjunctive && own !== undefined
        ? this.#filter({ ...search, filter: { ...search.filter, ...own } })
        : rows;
    const count = (
      name: CountName,
      keys: (offer: OfferDocument) => readonly (string | undefined)[],
      own?: Partial<OfferFilter>,
    ) => first(name, buckets(rowsFor(own), keys), search);
    return {
      offerIds: page.map(({ offer }) => offer.offerId),
      total: rows.length,
      aggregations: requested(search, {
        technologies: count("technologies", ({ technologies }) => technologies),
        offerTypes: count("offerTypes", ({ offerType }) => [offerType], { offerTypes: [] }),
        tags: count("tags", ({ tagLabels }) => tagLabels),
        developers: count("developers", ({ developer }) => [developer], {
          developerDisplayName: undefined,
        }),
        publishers: count("publishers", ({ publisher }) => [publisher], {
          publisherDisplayName: undefined,
        }),
        sellers: count("sellers", ({ sellerLabel }) => [sellerLabel], { sellerId: undefined }),
        prices: statistics(rowsFor({ price: undefined })),
      }),
      isTimedOut: false,
    };
  }

  facets(search: OfferSearch): FacetCounts {
    const rows = this.#filter(search);
    return {
      buckets: {
        tagCounts: buckets(rows, ({ tagIds }) => tagIds),
        offerTypeCounts: buckets(rows, ({ offerType }) => [offerType]),
        developerCounts: buckets(rows, ({ developer }) => [developer]),
        publisherCounts: buckets(rows, ({ publisher }) => [publisher]),
      },
      total: rows.length,
      prices: statistics(rows),
    };
  }

  #filter(search: OfferSearch): Row[] {
    const priceOf = new Map(
      this.#documents.prices.map(({ offerId, prices }) => [
        offerId,
        prices.find(({ region }) => region === search.region),
      ]),
    );
    return this.#documents.offers
      .map((offer) => ({ offer, price: priceOf.get(offer.offerId) }))
      .filter((row) => passes(search, row));
  }
}

/** At most 250 buckets; for the count of the facet query, only those that contain its text. */
function first(
  name: string,
  all: readonly Bucket[],
  { facetQuery }: OfferSearch,
): readonly Bucket[] {
  const isWanted = ({ key }: Bucket) =>
    facetQuery?.of !== name || valueContains(key.split(idSeparator)[0] ?? "", facetQuery.text);
  return all.filter(isWanted).slice(0, 250);
}

function requested(
  { aggregations }: OfferSearch,
  all: OfferAggregations,
): Partial<OfferAggregations> {
  return Object.fromEntries(aggregations.map((name) => [name, all[name]]));
}

function passes({ filter, nowMs }: OfferSearch, { offer, price }: Row): boolean {
  const isOnSale = price !== undefined && price.discountPrice < price.originalPrice;
  const anyOf = (wanted: readonly string[] = [], present: readonly (string | undefined)[]) =>
    wanted.length === 0 || wanted.some((value) => present.includes(value));
  const allOf = (wanted: readonly string[] = [], present: readonly string[]) =>
    wanted.every((value) => present.includes(value));
  const is = (wanted: unknown, present: unknown) => wanted === undefined || wanted === present;
  return (
    anyOf(filter.offerTypes, [offer.offerType]) &&
    allOf(filter.tagIds, offer.tagIds) &&
    allOf(filter.technologies, offer.technologies) &&
    anyOf(filter.categories, offer.categories) &&
    anyOf(filter.customAttributes, offer.customAttributes) &&
    is(filter.sellerId, offer.sellerId) &&
    is(filter.developerDisplayName, offer.developer) &&
    is(filter.publisherDisplayName, offer.publisher) &&
    is(filter.refundType, offer.refundType) &&
    is(filter.isCodeRedemptionOnly, offer.isCodeRedemptionOnly) &&
    (filter.price === undefined || isWithin(filter.price, price?.discountPrice)) &&
    is(filter.onSale, isOnSale) &&
    (!filter.isLowestPrice || (price?.isLowest ?? false)) &&
    isLowestOf(filter.lowestPriceOf, offer, price, nowMs) &&
    (filter.only !== "out" || isOut(offer, nowMs)) &&
    (filter.minRating === undefined ||
      (offer.ratingMillionths ?? -Infinity) >= filter.minRating * 1_000_000) &&
    !(filter.excludeBlockchain && offer.isBlockchainUsed) &&
    (!filter.pastGiveaways || (offer.firstGiveawayStartMs ?? Infinity) <= nowMs) &&
    (filter.only !== "released" || (offer.releaseDateMs ?? Infinity) <= nowMs) &&
    (filter.only !== "upcoming" || (offer.releaseDateMs ?? -Infinity) > nowMs) &&
    (filter.only !== "givenAway" || offer.hasGiveaway)
  );
}

/** Not known to be upcoming. */
function isOut({ releaseDateMs }: OfferDocument, nowMs: number): boolean {
  return releaseDateMs === undefined || releaseDateMs <= nowMs;
}

const days = new Map<LowWindow, number>([
  [LowWindow.EVER, Infinity],
  [LowWindow.DAYS_365, 365],
  [LowWindow.DAYS_90, 90],
  [LowWindow.DAYS_30, 30],
]);

function isLowestOf(
  window: LowWindow | undefined,
  offer: OfferDocument,
  price: PriceDocument | undefined,
  nowMs: number,
): boolean {
  if (window === undefined || window === LowWindow.UNSPECIFIED) return true;
  const { lowestSinceMs } = price ?? {};
  if (lowestSinceMs === undefined || !isOut(offer, nowMs)) return false;
  const daysBack = (days.get(window) ?? 0) * 86_400_000;
  return lowestSinceMs === neverLowerMs || lowestSinceMs <= nowMs - daysBack;
}

function isWithin(
  { min, max }: NonNullable<OfferSearch["filter"]["price"]>,
  amount: number | undefined,
): boolean {
  if (amount === undefined) return false;
  return (min === undefined || amount >= min) && (max === undefined || amount <= max);
}

const keys: Readonly<Record<OfferSortKey, (row: Row) => number | undefined>> = {
  relevance: () => undefined,
  releaseDate: ({ offer }) => offer.releaseDateMs,
  upcoming: ({ offer }) => offer.releaseDateMs,
  lastModifiedDate: ({ offer }) => offer.lastModifiedDateMs,
  effectiveDate: ({ offer }) => offer.effectiveDateMs,
  creationDate: ({ offer }) => offer.creationDateMs,
  viewableDate: ({ offer }) => offer.viewableDateMs,
  pcReleaseDate: ({ offer }) => offer.pcReleaseDateMs,
  price: ({ price }) => price?.discountPrice,
  discount: ({ price }) => price && price.originalPrice - price.discountPrice,
  discountPercent: ({ price }) => {
    if (price === undefined) return undefined;
    const off = price.originalPrice - price.discountPrice;
    return price.originalPrice === 0 ? 0 : off / price.originalPrice;
  },
  priceUpdatedAt: ({ price }) => price?.updatedAtMs,
  lowestFor: ({ price }) => price?.lowestSinceMs,
  giveawayDate: ({ offer }) => offer.latestGiveawayEndMs,
  rating: ({ offer }) => offer.ratingRankMillionths,
};

function compare({ order }: OfferSearch, a: Row, b: Row): number {
  const left = keys[order.key](a);
  const right = keys[order.key](b);
  // The earlier the start, the longer the low.
  const isTurned = order.key === "upcoming" || order.key === "lowestFor";
  const isUp = isTurned ? !order.isAscending : order.isAscending;
  if (left !== undefined && right !== undefined && left !== right) {
    return isUp ? left - right : right - left;
  }
  if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1;
  return Buffer.compare(Buffer.from(a.offer.offerId), Buffer.from(b.offer.offerId));
}

function buckets(
  rows: readonly Row[],
  keysOf: (offer: OfferDocument) => readonly (string | undefined)[],
): Bucket[] {
  return countValues(rows, ({ offer }) => keysOf(offer)).map(([key, count]) => ({ key, count }));
}

function statistics(rows: readonly Row[]): FacetCounts["prices"] {
  const amounts = rows.flatMap(({ price }) => price?.discountPrice ?? []);
  if (amounts.length === 0) return { count: 0, min: undefined, max: undefined, avg: undefined };
  return {
    count: amounts.length,
    min: Math.min(...amounts),
    max: Math.max(...amounts),
    avg: amounts.reduce((sum, amount) => sum + amount, 0) / amounts.length,
  };
}
