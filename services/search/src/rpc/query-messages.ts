import { create } from "@bufbuild/protobuf";
import {
  OfferQuerySchema,
  OfferSort,
  SortDirection,
} from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import type { RequestCheck } from "@storefront/rpc";
import { isLongerThan } from "@storefront/rpc";
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

const directions: readonly SortDirection[] = Object.values(SortDirection);

const maxTitleLength = 512;
/** Most values of one filter. */
const maxValues = 100;

/** Checks the rules for a query; none is fine. */
export function checkQuery(check: RequestCheck, query: OfferQuery | undefined): void {
  if (query === undefined) return;
  check.that(
    "query.title",
    !isLongerThan(query.title, maxTitleLength),
    `must have at most ${maxTitleLength} characters`,
  );
  checkText(check, "query.title", query.title);
  const lists = {
    offer_types: query.offerTypes,
    tag_ids: query.tagIds,
    technologies: query.technologies,
    categories: query.categories,
    custom_attributes: query.customAttributes,
  };
  for (const [name, values] of Object.entries(lists)) {
    const field = `query.${name}`;
    check.that(field, values.length <= maxValues, `must have at most ${maxValues} elements`);
    for (const [index, value] of values.entries()) checkText(check, `${field}[${index}]`, value);
  }
  const texts = {
    seller_id: query.sellerId,
    developer_display_name: query.developerDisplayName,
    publisher_display_name: query.publisherDisplayName,
    refund_type: query.refundType,
  };
  for (const [name, value] of Object.entries(texts)) checkText(check, `query.${name}`, value ?? "");
  check.that("query.sort", query.sort in sorts, "must be a known sort");
  check.that("query.direction", directions.includes(query.direction), "must be a known direction");
}

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

function checkText(check: RequestCheck, field: string, value: string): void {
  check.that(field, !value.includes("\0"), "must not contain NUL");
}
