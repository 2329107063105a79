import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import { OfferAggregation, OfferSort } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { labelOf } from "./label.ts";
import type { CountMember, FlagField, IntegerField, SortField, TermField } from "./field-types.ts";

/** Rises whenever documents are made otherwise, so that old indexes are rebuilt. */
export const indexFormat = 7;

/**
 * What offers are filtered and counted by, as members of their documents, prices aside. The documents, the
 * messages and both engines are made of this table and of those below.
 */
export const termFields = {
  offerType: {
    kind: "type",
    read: ({ offer }) => offer.offerType,
    filter: { asked: "offerTypes", match: "any" },
    count: { as: "offerTypes", asked: OfferAggregation.OFFER_TYPES },
    facet: "offerTypeCounts",
  },
  tagIds: {
    kind: "tag",
    isList: true,
    read: ({ offer }) => [...tagsOf(offer).keys()],
    filter: { asked: "tagIds", match: "all" },
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
    count: { as: "tags", asked: OfferAggregation.TAGS },
  },
  // Names of what its newest builds are made with, each once: those of the overview.
  technologies: {
    kind: "technology",
    isList: true,
    read: ({ technologies }) => technologies,
    filter: { asked: "technologies", match: "all" },
    count: { as: "technologies", asked: OfferAggregation.TECHNOLOGIES },
  },
  categories: {
    kind: "category",
    isList: true,
    read: ({ offer }) => [...new Set(offer.categories)],
    filter: { asked: "categories", match: "any" },
  },
  customAttributes: {
    kind: "attribute",
    isList: true,
    read: ({ offer }) => [...new Set(offer.customAttributes.map(({ key }) => key))],
    filter: { asked: "customAttributes", match: "any" },
  },
  sellerId: {
    kind: "seller",
    read: ({ offer }) => offer.seller?.id,
    filter: { asked: "sellerId", match: "is" },
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
    count: { as: "sellers", asked: OfferAggregation.SELLERS, chosenBy: "sellerId" },
  },
  developer: {
    kind: "developer",
    read: ({ offer }) => offer.developerDisplayName,
    filter: { asked: "developerDisplayName", match: "is" },
    count: { as: "developers", asked: OfferAggregation.DEVELOPERS },
    facet: "developerCounts",
  },
  publisher: {
    kind: "publisher",
    read: ({ offer }) => offer.publisherDisplayName,
    filter: { asked: "publisherDisplayName", match: "is" },
    count: { as: "publishers", asked: OfferAggregation.PUBLISHERS },
    facet: "publisherCounts",
  },
  refundType: {
    kind: "refundType",
    read: ({ offer }) => offer.refundType,
    filter: { asked: "refundType", match: "is" },
  },
} as const satisfies Readonly<Record<string, TermField>>;

/** What offers are filtered by that is true or not. */
export const flagFields = {
  // Unknown is false.
  isCodeRedemptionOnly: {
    read: ({ offer }) => offer.isCodeRedemptionOnly ?? false,
    filter: { asked: "isCodeRedemptionOnly", match: "is" },
  },
  isBlockchainUsed: {
    read: ({ offer }) => isBlockchainUsed(offer),
    filter: { asked: "excludeBlockchain", match: "not" },
  },
} as const satisfies Readonly<Record<string, FlagField>>;

/** What offers are sorted by, or narrowed by the time. */
export const integerFields = {
  releaseDateMs: { read: ({ offer }) => ms(offer.releaseDate) },
  lastModifiedDateMs: { read: ({ offer }) => ms(offer.lastModifiedDate) },
  effectiveDateMs: { read: ({ offer }) => ms(offer.effectiveDate) },
  creationDateMs: { read: ({ offer }) => ms(offer.creationDate) },
  viewableDateMs: { read: ({ offer }) => ms(offer.viewableDate) },
  pcReleaseDateMs: { read: ({ offer }) => ms(offer.pcReleaseDate) },
  firstGiveawayStartMs: { read: ({ first_start }) => first_start ?? undefined },
  // Since when its prices can be lows: one whose release is not known has long been released.
  outSinceMs: { read: ({ offer }) => ms(offer.releaseDate) ?? 0 },
  latestGiveawayEndMs: { read: ({ latest_end }) => latest_end ?? undefined },
  ratingMillionths: { read: ({ rating }) => millionths(rating) },
  ratingRankMillionths: { read: ({ rating_rank }) => millionths(rating_rank) },
} as const satisfies Readonly<Record<string, IntegerField>>;

/** What queries can sort by. */
export const sortFields = {
  releaseDate: { asked: OfferSort.RELEASE_DATE, by: "releaseDateMs", only: "released" },
  lastModifiedDate: { asked: OfferSort.LAST_MODIFIED_DATE, by: "lastModifiedDateMs" },
  effectiveDate: { asked: OfferSort.EFFECTIVE_DATE, by: "effectiveDateMs" },
  creationDate: { asked: OfferSort.CREATION_DATE, by: "creationDateMs" },
  viewableDate: { asked: OfferSort.VIEWABLE_DATE, by: "viewableDateMs" },
  pcReleaseDate: { asked: OfferSort.PC_RELEASE_DATE, by: "pcReleaseDateMs" },
  upcoming: { asked: OfferSort.UPCOMING, by: "releaseDateMs", only: "upcoming" },
  giveawayDate: { asked: OfferSort.GIVEAWAY_DATE, by: "latestGiveawayEndMs", only: "givenAway" },
  price: { asked: OfferSort.PRICE },
  priceAsc: { asked: OfferSort.PRICE_ASC },
  priceDesc: { asked: OfferSort.PRICE_DESC },
  discount: { asked: OfferSort.DISCOUNT },
  discountPercent: { asked: OfferSort.DISCOUNT_PERCENT },
  priceUpdatedAt: { asked: OfferSort.PRICE_UPDATED_AT },
  lowestFor: { asked: OfferSort.LOWEST_FOR, only: "out" },
  rating: { asked: OfferSort.RATING, by: "ratingRankMillionths" },
} as const satisfies Readonly<Record<string, SortField<keyof typeof integerFields>>>;

/** Of two tags with one id the last counts, as everywhere. */
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

/** Of a rating, which has fractions: whole numbers are indexed alike by every engine. */
export function millionths(rating: number | null): number | undefined {
  return rating === null ? undefined : Math.round(rating * 1_000_000);
}

type TermTable = typeof termFields;
type FlagTable = typeof flagFields;
type IntegerTable = typeof integerFields;

export type TermName = keyof TermTable;
export type TermKind = TermTable[TermName]["kind"] | "flag";
export type IntegerName = keyof IntegerTable;

/** The fields of an offer. */
export type FieldValues = {
  readonly [Name in TermName]: TermTable[Name] extends { isList: true }
    ? readonly string[]
    : string | undefined;
} & { readonly [Name in keyof FlagTable]: boolean } & {
  readonly [Name in IntegerName]: number | undefined;
};

/** What the rows of a table cover; does not compile while something that the contract asks for has no row. */
type Covered<Asked extends Rows, Rows, Result = Asked> = Result;

/** The values of an enum but for some. */
type ValueOf<Enum, Other extends keyof Enum> = Enum[Exclude<keyof Enum, Other>];

type FilterOf<Row> = Row extends { filter: { asked: infer Asked } } ? Asked : never;
type CountOf<Row> = Row extends { count: infer Count } ? Count : never;
type Counted = CountOf<TermTable[TermName]>;

/** Members of a query that fields match; the others are about its text, its order, prices and giveaways. */
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
  Counted["asked"],
  Covered<CountMember, Counted["as"]>
>;

export type SortName = Covered<
  ValueOf<typeof OfferSort, "UNSPECIFIED">,
  (typeof sortFields)[keyof typeof sortFields]["asked"],
  keyof typeof sortFields
>;
