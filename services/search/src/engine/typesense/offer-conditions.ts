import type { Region } from "@storefront/domain/identifiers";
import type { SortField } from "../../domain/field-types.ts";
import { millionths, sortFields } from "../../domain/offer-fields.ts";
import type { IntegerName } from "../../domain/offer-fields.ts";
import { termConditions } from "../../domain/offer-terms.ts";
import { latestLowestSinceMs } from "../../domain/price-history.ts";
import { integerColumns } from "../../domain/column-names.ts";
import { isReversed } from "../offer-search.ts";
import type { OfferOrder, OfferSelection, OfferSortKey } from "../offer-search.ts";
import { orderFields, priceFields, priceStates, termToken } from "./collections.ts";
import { noRegion } from "./priced-regions.ts";

/** A document may have only prices. */
export const anyOffer = "is_offer:true";

/** Matches no document. */
const nothing = "is_offer:[]";

/** The conditions of a filter, except its text. */
export function offerConditions({ filter, region, nowMs }: OfferSelection): string[] {
  const { all, any, none } = termConditions(filter);
  const now = Math.trunc(nowMs);
  const latestMs = latestLowestSinceMs(filter.lowestPriceOf, now);
  const least = millionths(filter.minRating ?? null);
  const isOut = filter.only === "out" || latestMs !== undefined;
  return [
    anyOffer,
    ...hasAll("terms", all.map(termToken)),
    ...any.map((terms) => hasAny("terms", terms.map(termToken))),
    ...none.map((term) => lacks("terms", termToken(term))),
    ...(region !== noRegion ? priceConditions(filter, region) : withoutPrices(filter)),
    ...lowestConditions(latestMs, region),
    ...(filter.pastGiveaways ? [`first_giveaway_start:<=${now}`] : []),
    ...(isOut ? [`${integerColumns.get("outSinceMs")}:<=${now}`] : []),
    ...(least === undefined ? [] : [`${integerColumns.get("ratingMillionths")}:>=${least}`]),
    ...(filter.only === "released" ? [`release_date:<=${now}`] : []),
    ...(filter.only === "upcoming" ? [`release_date:>${now}`] : []),
    ...(filter.only === "givenAway" ? ["has_giveaway:true"] : []),
  ];
}

type Filter = OfferSelection["filter"];

function priceConditions({ price, onSale, isLowestPrice }: Filter, region: Region): string[] {
  const fields = priceFields(region);
  const { regular, onSale: reduced, lowest } = priceStates;
  return [
    ...(price === undefined ? [] : [`${fields.state}:>=${regular}`]),
    ...(price?.min === undefined ? [] : [`${fields.price}:>=${inRange(price.min)}`]),
    ...(price?.max === undefined ? [] : [`${fields.price}:<=${inRange(price.max)}`]),
    ...(onSale === true ? [`${fields.state}:>=${reduced}`] : []),
    // Offers without a price are not on sale either.
    ...(onSale === false ? [`${fields.state}:!=[${reduced},${lowest}]`] : []),
    ...(isLowestPrice ? [`${fields.state}:=${lowest}`] : []),
  ];
}

/** Without a region. */
function withoutPrices({ price, onSale, isLowestPrice }: Filter): string[] {
  return price !== undefined || onSale === true || isLowestPrice === true ? [nothing] : [];
}

function lowestConditions(latestMs: number | undefined, region: Region): string[] {
  if (latestMs === undefined) return [];
  return [region !== noRegion ? `${priceFields(region).lowestSince}:<=${latestMs}` : nothing];
}

/** The server refuses numbers beyond 64 bits; prices have at most 53. */
function inRange(amount: bigint): bigint {
  const limit = BigInt(Number.MAX_SAFE_INTEGER) + 1n;
  if (amount > limit) return limit;
  return amount < -limit ? -limit : amount;
}

/** Tokens per operand: with more than 128 the server finds nothing. */
const maxTokens = 100;

/** Joins conditions. Each, and the whole, is in parentheses, since `&&` and `||` have equal precedence. */
export function allConditions(conditions: readonly string[]): string {
  return `(${conditions.map((condition) => `(${condition})`).join(" && ")})`;
}

/** Conditions that a field has all of these tokens. */
export function hasAll(field: string, tokens: readonly string[]): string[] {
  const conditions: string[] = [];
  for (let at = 0; at < tokens.length; at += maxTokens) {
    conditions.push(`${field}:${quote(tokens.slice(at, at + maxTokens).join(" "))}`);
  }
  return conditions;
}

/** A condition that a field has any of these tokens. */
function hasAny(field: string, tokens: readonly string[]): string {
  return `${field}:[${tokens.map(quote).join(",")}]`;
}

/** A condition that a field lacks this token or is absent. */
function lacks(field: string, token: string): string {
  return `${field}:!${quote(token)}`;
}

/** @throws TypeError for characters that could change a filter's structure. */
function quote(tokens: string): string {
  if (!/^[a-z0-9]+( [a-z0-9]+)*$/.test(tokens)) throw new TypeError("not made of tokens");
  return `\`${tokens}\``;
}

const maxKeys = 3;

const priceKeys: Readonly<Partial<Record<OfferSortKey, keyof ReturnType<typeof priceFields>>>> = {
  price: "price",
  discount: "discount",
  discountPercent: "percent",
  priceUpdatedAt: "updated",
  lowestFor: "lowestSince",
};

/** A sort key: an integer field, the text's relevance, or 8 bytes of the id. */
export interface SortKey {
  readonly of: "field" | "text" | "id";
  readonly name: string;
  readonly isAscending: boolean;
}

/**
 * Sort keys of an order: its own, then relevance, then tie breakers. The server takes three keys; with a text and
 * another order the first id key leaves few ties.
 */
export function sortKeysOf(
  order: OfferOrder,
  region: Region,
  text: string | undefined,
): readonly SortKey[] {
  const name = fieldOf(order.key, region);
  const isAscending = isReversed(order.key) ? !order.isAscending : order.isAscending;
  const keys: SortKey[] = [
    ...(name === undefined ? [] : [{ of: "field", name, isAscending } as const]),
    ...(text === undefined
      ? []
      : [{ of: "text", name: "_text_match", isAscending: false } as const]),
    ...(order.key === "relevance"
      ? [{ of: "field", name: orderFields.text, isAscending: true } as const]
      : []),
    ...orderFields.id.map((id) => ({ of: "id", name: id, isAscending: true }) as const),
  ];
  return keys.slice(0, maxKeys);
}

export function sortBy(keys: readonly SortKey[]): string {
  return keys
    .map(({ of, name, isAscending }) => {
      const missing = of === "field" ? "(missing_values: last)" : "";
      return `${name}${missing}:${isAscending ? "asc" : "desc"}`;
    })
    .join(",");
}

function fieldOf(key: OfferSortKey, region: Region): string | undefined {
  if (key === "relevance") return undefined;
  const { by }: SortField<IntegerName> = sortFields[key];
  if (by !== undefined) return integerColumns.get(by);
  const priceKey = priceKeys[key];
  return priceKey && region !== noRegion ? priceFields(region)[priceKey] : undefined;
}
