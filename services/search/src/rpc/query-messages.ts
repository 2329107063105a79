import { create } from "@bufbuild/protobuf";
import {
  OfferQuerySchema,
  OfferSort,
  SortDirection,
} from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { canonicalQuery } from "../domain/canonical-query.ts";
import type { SearchQuery } from "../domain/canonical-query.ts";
import type { QuerySort } from "../domain/offer-order.ts";

const sorts: Readonly<Record<OfferSort, QuerySort | undefined>> = {
  [OfferSort.UNSPECIFIED]: undefined,
  [OfferSort.RELEASE_DATE]: "releaseDate",
  [OfferSort.LAST_MODIFIED_DATE]: "lastModifiedDate",
  [OfferSort.EFFECTIVE_DATE]: "effectiveDate",
  [OfferSort.CREATION_DATE]: "creationDate",
  [OfferSort.VIEWABLE_DATE]: "viewableDate",
  [OfferSort.PC_RELEASE_DATE]: "pcReleaseDate",
  [OfferSort.UPCOMING]: "upcoming",
  [OfferSort.PRICE_ASC]: "priceAsc",
  [OfferSort.PRICE_DESC]: "priceDesc",
  [OfferSort.PRICE]: "price",
  [OfferSort.DISCOUNT]: "discount",
  [OfferSort.DISCOUNT_PERCENT]: "discountPercent",
  [OfferSort.PRICE_UPDATED_AT]: "priceUpdatedAt",
  [OfferSort.GIVEAWAY_DATE]: "giveawayDate",
};

const wireSorts = new Map(
  Object.entries(sorts).map(([wire, sort]) => [sort, Number(wire) as OfferSort]),
);

/** The query of a message, canonical; none asks for everything. */
export function queryOf(message: OfferQuery | undefined): SearchQuery {
  const query = message ?? create(OfferQuerySchema);
  return canonicalQuery({
    ...query,
    sort: sorts[query.sort],
    isAscending: query.direction === SortDirection.ASC,
  });
}

/** The message of a canonical query. */
export function messageOf(query: SearchQuery): OfferQuery {
  const { sort, isAscending = false, price, ...members } = query;
  return create(OfferQuerySchema, {
    title: members.title,
    offerTypes: [...members.offerTypes],
    tagIds: [...members.tagIds],
    technologies: [...members.technologies],
    categories: [...members.categories],
    customAttributes: [...members.customAttributes],
    ...defined({
      sellerId: members.sellerId,
      developerDisplayName: members.developerDisplayName,
      publisherDisplayName: members.publisherDisplayName,
      refundType: members.refundType,
      isCodeRedemptionOnly: members.isCodeRedemptionOnly,
      onSale: members.onSale,
      price: price && defined({ min: price.min, max: price.max }),
    }),
    isLowestPrice: members.isLowestPrice,
    excludeBlockchain: members.excludeBlockchain,
    pastGiveaways: members.pastGiveaways,
    sort: wireSorts.get(sort) ?? OfferSort.UNSPECIFIED,
    direction: isAscending ? SortDirection.ASC : SortDirection.UNSPECIFIED,
  });
}

/** The same without the members that are undefined. */
function defined<Members extends object>(
  members: Members,
): {
  [Name in keyof Members]?: Exclude<Members[Name], undefined>;
} {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}
