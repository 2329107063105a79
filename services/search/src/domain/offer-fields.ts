import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import { OfferAggregation, OfferSort } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { labelOf } from "./label.ts";
import type { CountMember, FlagField, IntegerField, SortField, TermField } from "./field-types.ts";

/** Raised whenever documents change, so that old indexes are rebuilt. */
export const indexFormat = 7;

/**
 * Fields of documents to filter and count by, except prices. Documents, messages and both engines derive from
 * this table and those below.
 */
export const termFields = {
  offerType: {
    kind: "type",
    read: ({ offer }) => offer.offerType,
    filter: { input: "offerTypes", match: "any" },
    count: { as: "offerTypes", input: OfferAggregation.OFFER_TYPES },
    facet: "offerTypeCounts",
  },
  tagIds: {
    kind: "tag",
    isList: true,
    read: ({ offer }) => [...tagsOf(offer).keys()],
    filter: { input: "tagIds", match: "all" },
    facet: "tagCounts",
  },
  tagNames: {
    kind: "tagName",
    isList: true,
    read: ({ offer }) => [...tagsOf(offer).values()].flatMap((name) => name ?? []),
    isCountedBefore: true,
  },
  tagLabels: {
    kind: "tagLabel",
    isList: true,
    read: ({ offer }) =>
      [...tagsOf(offer)].flatMap(([id, name]) => (name === undefined ? [] : labelOf(name, id))),
    count: { as: "tags", input: OfferAggregation.TAGS },
  },
  // Technologies of the newest builds, without duplicates, as in the overview.
  technologies: {
    kind: "technology",
    isList: true,
    read: ({ technologies }) => technologies,
    filter: { input: "technologies", match: "all" },
    count: { as: "technologies", input: OfferAggregation.TECHNOLOGIES },
  },
  categories: {
    kind: "category",
    isList: true,
    read: ({ offer }) => [...new Set(offer.categories)],
    filter: { input: "categories", match: "any" },
  },
  customAttributes: {
    kind: "attribute",
    isList: true,
    read: ({ offer }) => [...new Set(offer.customAttributes.map(({ key }) => key))],
    filter: { input: "customAttributes", match: "any" },
  },
  sellerId: {
    kind: "seller",
    read: ({ offer }) => offer.seller?.id,
    filter: { input: "sellerId", match: "is" },
  },
  sellerName: {
    kind: "sellerName",
    read: ({ offer }) => offer.seller?.name,
    isCountedBefore: true,
  },
  sellerLabel: {
    kind: "sellerLabel",
    read: ({ offer: { seller } }) =>
      seller?.name === undefined ? undefined : labelOf(seller.name, seller.id),
    count: { as: "sellers", input: OfferAggregation.SELLERS, chosenBy: "sellerId" },
  },
  developer: {
    kind: "developer",
    read: ({ offer }) => offer.developerDisplayName,
    filter: { input: "developerDisplayName", match: "is" },
    count: { as: "developers", input: OfferAggregation.DEVELOPERS },
    facet: "developerCounts",
  },
  publisher: {
    kind: "publisher",
    read: ({ offer }) => offer.publisherDisplayName,
    filter: { input: "publisherDisplayName", match: "is" },
    count: { as: "publishers", input: OfferAggregation.PUBLISHERS },
    facet: "publisherCounts",
  },
  refundType: {
    kind: "refundType",
    read: ({ offer }) => offer.refundType,
    filter: { input: "refundType", match: "is" },
  },
} as const satisfies Readonly<Record<string, TermField>>;

/** Boolean fields to filter by. */
export const flagFields = {
  // Unknown is false.
  isCodeRedemptionOnly: {
    read: ({ offer }) => offer.isCodeRedemptionOnly ?? false,
    filter: { input: "isCodeRedemptionOnly", match: "is" },
  },
  isBlockchainUsed: {
    read: ({ offer }) => isBlockchainUsed(offer),
    filter: { input: "excludeBlockchain", match: "not" },
  },
} as const satisfies Readonly<Record<string, FlagField>>;

/** Fields to sort by, or to limit by time. */
export const integerFields = {
  releaseDateMs: { read: ({ offer }) => ms(offer.releaseDate) },
  lastModifiedDateMs: { read: ({ offer }) => ms(offer.lastModifiedDate) },
  effectiveDateMs: { read: ({ offer }) => ms(offer.effectiveDate) },
  creationDateMs: { read: ({ offer }) => ms(offer.creationDate) },
  viewableDateMs: { read: ({ offer }) => ms(offer.viewableDate) },
  pcReleaseDateMs: { read: ({ offer }) => ms(offer.pcReleaseDate) },
  firstGiveawayStartMs: { read: ({ first_start }) => first_start ?? undefined },
  // Since when its prices can be lows. An unknown release date counts as long ago.
  outSinceMs: { read: ({ offer }) => ms(offer.releaseDate) ?? 0 },
  latestGiveawayEndMs: { read: ({ latest_end }) => latest_end ?? undefined },
  ratingMillionths: { read: ({ rating }) => millionths(rating) },
  ratingRankMillionths: { read: ({ rating_rank }) => millionths(rating_rank) },
} as const satisfies Readonly<Record<string, IntegerField>>;

/** Sort orders of queries. */
export const sortFields = {
  releaseDate: { input: OfferSort.RELEASE_DATE, by: "releaseDateMs", only: "released" },
  lastModifiedDate: { input: OfferSort.LAST_MODIFIED_DATE, by: "lastModifiedDateMs" },
  effectiveDate: { input: OfferSort.EFFECTIVE_DATE, by: "effectiveDateMs" },
  creationDate: { input: OfferSort.CREATION_DATE, by: "creationDateMs" },
  viewableDate: { input: OfferSort.VIEWABLE_DATE, by: "viewableDateMs" },
  pcReleaseDate: { input: OfferSort.PC_RELEASE_DATE, by: "pcReleaseDateMs" },
  upcoming: { input: OfferSort.UPCOMING, by: "releaseDateMs", only: "upcoming" },
  giveawayDate: { input: OfferSort.GIVEAWAY_DATE, by: "latestGiveawayEndMs", only: "givenAway" },
  price: { input: OfferSort.PRICE },
  priceAsc: { input: OfferSort.PRICE_ASC },
  priceDesc: { input: OfferSort.PRICE_DESC },
  discount: { input: OfferSort.DISCOUNT },
  discountPercent: { input: OfferSort.DISCOUNT_PERCENT },
  priceUpdatedAt: { input: OfferSort.PRICE_UPDATED_AT },
  lowestFor: { input: OfferSort.LOWEST_FOR, only: "out" },
  rating: { input: OfferSort.RATING, by: "ratingRankMillionths" },
} as const satisfies Readonly<Record<string, SortField<keyof typeof integerFields>>>;

/** The last of two tags with one id wins, as everywhere. */
function tagsOf({ tags }: Offer): ReadonlyMap<string, string | undefined> {
  return new Map(tags.map(({ id, name }) => [id, name]));
}

function isBlockchainUsed({ customAttributes }: Offer): boolean {
  const attribute = customAttributes.findLast(({ key }) => key === "isBlockchainUsed");
  return attribute?.value?.trim().toLowerCase() === "true";
}

/** Milliseconds since 1970; undefined for an unknown time. */
export function ms(timestamp: Timestamp | undefined): number | undefined {
  return timestamp && timestampMs(timestamp);
}

/** Integers, since every engine indexes them alike; ratings have fractions. */
export function millionths(rating: number | null): number | undefined {
  return rating === null ? undefined : Math.round(rating * 1_000_000);
}

type TermTable = typeof termFields;
type FlagTable = typeof flagFields;
type IntegerTable = typeof integerFields;

export type TermName = keyof TermTable;
export type TermKind = TermTable[TermName]["kind"] | "flag";
export type IntegerName = keyof IntegerTable;

export type FieldValues = {
  readonly [Name in TermName]: TermTable[Name] extends { isList: true }
    ? readonly string[]
    : string | undefined;
} & { readonly [Name in keyof FlagTable]: boolean } & {
  readonly [Name in IntegerName]: number | undefined;
};

/** Covered rows of a table. Does not compile while a member of the contract has no row. */
type Covered<Asked extends Rows, Rows, Result = Asked> = Result;

/** The values of an enum except some. */
type ValueOf<Enum, Other extends keyof Enum> = Enum[Exclude<keyof Enum, Other>];

type FilterOf<Row> = Row extends { filter: { input: infer Asked } } ? Asked : never;
type CountOf<Row> = Row extends { count: infer Count } ? Count : never;
type Counted = CountOf<TermTable[TermName]>;

/** Query fields that term and flag fields match; the others are text, order, prices, ratings and giveaways. */
export type FilterMember = Covered<
  Exclude<
    keyof OfferQuery,
    | "$typeName"
    | "$unknown"
    | "title"
    | "price"
    | "onSale"
    | "isLowestPrice"
    | "lowestPriceOf"
    | "minRating"
    | "pastGiveaways"
    | "sort"
    | "direction"
  >,
  FilterOf<TermTable[TermName] | FlagTable[keyof FlagTable]>
>;

/** Counts by value. */
export type CountName = Covered<
  ValueOf<typeof OfferAggregation, "UNSPECIFIED" | "NONE" | "PRICE_STATS">,
  Counted["input"],
  Covered<CountMember, Counted["as"]>
>;

export type SortName = Covered<
  ValueOf<typeof OfferSort, "UNSPECIFIED">,
  (typeof sortFields)[keyof typeof sortFields]["input"],
  keyof typeof sortFields
>;
