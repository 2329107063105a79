import { compareCodePoints } from "@storefront/database";
import { clearField, clone, create, toJson } from "@bufbuild/protobuf";
import type { JsonValue } from "@bufbuild/protobuf";
import {
  OfferQuerySchema,
  OfferSort,
  SortDirection,
} from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { createHash } from "node:crypto";
import { termFields } from "./offer-fields.ts";
import type { TermField } from "./field-types.ts";
import { canonicalOrder, sortName } from "./offer-order.ts";

/**
 * The canonical form of equivalent queries: lists sorted without duplicates, text trimmed, the default order
 * and fields unknown to this release left out.
 *
 * @param query default: matches every offer
 */
export function canonicalQuery(query: OfferQuery = create(OfferQuerySchema)): OfferQuery {
  const canonical = clone(OfferQuerySchema, query);
  delete canonical.$unknown;
  delete canonical.price?.$unknown;
  canonical.title = query.title.trim().replace(/\s+/gu, " ");
  canonical.technologies = query.technologies.map((name) => name.trim());
  for (const { filter } of Object.values<TermField>(termFields)) {
    if (filter === undefined || filter.match === "is") continue;
    canonical[filter.input] = asSet(canonical[filter.input]);
  }
  return Object.assign(canonical, canonicalOrder(canonical));
}

/** Number of the last field that was part of the first ids. */
const lastOfFirst = 18;

/** The id of a canonical query: 32 hexadecimal digits. Later fields change it only when set. */
export function queryId(query: OfferQuery): string {
  const members = [
    query.title,
    query.offerTypes,
    query.tagIds,
    query.technologies,
    query.categories,
    query.customAttributes,
    query.sellerId ?? null,
    query.developerDisplayName ?? null,
    query.publisherDisplayName ?? null,
    query.refundType ?? null,
    query.isCodeRedemptionOnly ?? null,
    query.price ? [String(query.price.min ?? ""), String(query.price.max ?? "")] : null,
    query.onSale ?? null,
    query.isLowestPrice,
    query.excludeBlockchain,
    query.pastGiveaways,
    sortName(query.sort) ?? null,
    query.direction === SortDirection.ASC,
    ...laterMembers(query),
  ];
  return createHash("sha256").update(JSON.stringify(members)).digest("hex").slice(0, 32);
}

function laterMembers(query: OfferQuery): JsonValue[] {
  const later = clone(OfferQuerySchema, query);
  for (const field of OfferQuerySchema.fields) {
    if (field.number <= lastOfFirst) clearField(later, field);
  }
  const members = toJson(OfferQuerySchema, later);
  return JSON.stringify(members) === "{}" ? [] : [members];
}

function asSet(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted(compareCodePoints);
}

/** Whether a query filters or sorts by ratings. */
export function usesRatings({ minRating, sort }: OfferQuery): boolean {
  return minRating !== undefined || sort === OfferSort.RATING;
}
