import type { MessageInitShape } from "@bufbuild/protobuf";
import { OfferSort, SortDirection } from "@storefront/contracts/search/v1/offer_query";
import type {
  OfferQuery,
  OfferQuerySchema,
  PriceRange,
} from "@storefront/contracts/search/v1/offer_query";
import type { OfferQueryBody, SavedQuery, SortField } from "../schemas/offer-query.ts";

const sorts: Readonly<Record<SortField, OfferSort>> = {
  releaseDate: OfferSort.RELEASE_DATE,
  lastModifiedDate: OfferSort.LAST_MODIFIED_DATE,
  effectiveDate: OfferSort.EFFECTIVE_DATE,
  creationDate: OfferSort.CREATION_DATE,
  viewableDate: OfferSort.VIEWABLE_DATE,
  pcReleaseDate: OfferSort.PC_RELEASE_DATE,
  upcoming: OfferSort.UPCOMING,
  priceAsc: OfferSort.PRICE_ASC,
  priceDesc: OfferSort.PRICE_DESC,
  price: OfferSort.PRICE,
  discount: OfferSort.DISCOUNT,
  discountPercent: OfferSort.DISCOUNT_PERCENT,
  priceUpdatedAt: OfferSort.PRICE_UPDATED_AT,
  giveawayDate: OfferSort.GIVEAWAY_DATE,
};

/** A search's body as the search service takes it. */
export function offerQueryOf(body: OfferQueryBody): MessageInitShape<typeof OfferQuerySchema> {
  const { offerType = [], price, sortBy, sortDir } = body;
  return {
    title: body.title ?? "",
    offerTypes: typeof offerType === "string" ? [offerType] : offerType,
    tagIds: body.tags ?? [],
    technologies: [...new Set(body.technologies)],
    categories: body.categories ?? [],
    customAttributes: body.customAttributes ?? [],
    ...known({
      sellerId: body.seller,
      developerDisplayName: body.developerDisplayName,
      publisherDisplayName: body.publisherDisplayName,
      refundType: body.refundType,
      isCodeRedemptionOnly: body.isCodeRedemptionOnly,
      price: price && known({ min: bigintOf(price.min), max: bigintOf(price.max) }),
      onSale: body.onSale,
    }),
    isLowestPrice: body.isLowestPrice ?? false,
    excludeBlockchain: body.excludeBlockchain ?? false,
    pastGiveaways: body.pastGiveaways ?? false,
    sort: sortBy === undefined ? OfferSort.UNSPECIFIED : sorts[sortBy],
    direction: sortDir === "asc" ? SortDirection.ASC : SortDirection.DESC,
  };
}

/** A canonical query as a search's body, without what is the default. */
export function savedQueryOf(query: OfferQuery): SavedQuery {
  return known({
    title: query.title || undefined,
    offerType: listOf(query.offerTypes),
    tags: listOf(query.tagIds),
    technologies: listOf(query.technologies),
    categories: listOf(query.categories),
    customAttributes: listOf(query.customAttributes),
    seller: query.sellerId,
    developerDisplayName: query.developerDisplayName,
    publisherDisplayName: query.publisherDisplayName,
    refundType: query.refundType,
    isCodeRedemptionOnly: query.isCodeRedemptionOnly,
    price: query.price && boundsOf(query.price),
    onSale: query.onSale,
    isLowestPrice: query.isLowestPrice || undefined,
    excludeBlockchain: query.excludeBlockchain || undefined,
    pastGiveaways: query.pastGiveaways || undefined,
    sortBy: sortFieldOf(query.sort),
    sortDir: query.direction === SortDirection.ASC ? "asc" : undefined,
  });
}

function boundsOf({ min, max }: PriceRange): NonNullable<SavedQuery["price"]> {
  return known({
    min: min === undefined ? undefined : Number(min),
    max: max === undefined ? undefined : Number(max),
  });
}

function sortFieldOf(sort: OfferSort): SortField | undefined {
  return (Object.keys(sorts) as SortField[]).find((field) => sorts[field] === sort);
}

function listOf(values: string[]): string[] | undefined {
  return values.length === 0 ? undefined : values;
}

function bigintOf(amount: number | undefined): bigint | undefined {
  return amount === undefined ? undefined : BigInt(amount);
}

/** The members that are not undefined. */
function known<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}
