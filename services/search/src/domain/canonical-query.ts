import { createHash } from "node:crypto";
import { compareCodePoints } from "./compare-code-points.ts";
import { canonicalOrder } from "./offer-order.ts";
import type { OrderRequest } from "./offer-order.ts";

/** What a search asks for, in any spelling. */
export interface SearchQuery extends OrderRequest {
  readonly title: string;
  readonly offerTypes: readonly string[];
  readonly tagIds: readonly string[];
  readonly technologies: readonly string[];
  readonly categories: readonly string[];
  readonly customAttributes: readonly string[];
  readonly sellerId?: string | undefined;
  readonly developerDisplayName?: string | undefined;
  readonly publisherDisplayName?: string | undefined;
  readonly refundType?: string | undefined;
  readonly isCodeRedemptionOnly?: boolean | undefined;
  readonly price?:
    | { readonly min?: bigint | undefined; readonly max?: bigint | undefined }
    | undefined;
  readonly onSale?: boolean | undefined;
  readonly isLowestPrice: boolean;
  readonly excludeBlockchain: boolean;
  readonly pastGiveaways: boolean;
}

/**
 * The one spelling of all queries that ask for the same: lists sorted and without duplicates, text
 * trimmed, an order that is the default left out.
 */
export function canonicalQuery<Query extends SearchQuery>(query: Query): Query {
  const title = query.title.trim().replace(/\s+/gu, " ");
  return {
    ...query,
    title,
    offerTypes: asSet(query.offerTypes),
    tagIds: asSet(query.tagIds),
    technologies: asSet(query.technologies.map((name) => name.trim())),
    categories: asSet(query.categories),
    customAttributes: asSet(query.customAttributes),
    ...canonicalOrder({ ...query, title }),
  };
}

/** The id of a canonical query: 32 hexadecimal digits. */
export function queryId(query: SearchQuery): string {
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
    query.sort ?? null,
    query.isAscending ?? false,
  ];
  return createHash("sha256").update(JSON.stringify(members)).digest("hex").slice(0, 32);
}

function asSet(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted(compareCodePoints);
}
