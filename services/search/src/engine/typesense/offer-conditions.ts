import { isRegion } from "@storefront/regions";
import type { OfferSearch } from "../offer-search.ts";
import { priceFields } from "./collections.ts";
import { hasAll, hasAny, lacks } from "./filter-by.ts";
import { blockchain, codeRedemption } from "./offer-fields.ts";
import { valueToken } from "./tokens.ts";

/** A document may be of prices only. */
export const anyOffer = "is_offer:true";

/** The conditions of a filter, text aside. */
export function offerConditions({
  filter,
  region,
  nowMs,
}: Pick<OfferSearch, "filter" | "region" | "nowMs">): string[] {
  const tokens = (kind: string, values: readonly (string | undefined)[]) =>
    values.flatMap((value) => (value === undefined ? [] : [valueToken(kind, value)]));
  const all = (field: string, wanted: readonly string[]) =>
    wanted.length === 0 ? [] : [hasAll(field, wanted)];
  const any = (kind: string, values: readonly string[]) =>
    values.length === 0 ? [] : [hasAny("terms", tokens(kind, values))];
  const priceTerm = (kind: string) => hasAll("price_terms", [valueToken(kind, region)]);
  const now = Math.trunc(nowMs);
  return [
    anyOffer,
    ...all("tag_terms", tokens("tag", filter.tagIds)),
    ...all("technology_terms", tokens("technology", filter.technologies)),
    ...all("terms", [
      ...tokens("seller", [filter.sellerId]),
      ...tokens("developer", [filter.developer]),
      ...tokens("publisher", [filter.publisher]),
      ...tokens("refundType", [filter.refundType]),
      ...(filter.isCodeRedemptionOnly === true ? [codeRedemption] : []),
    ]),
    ...any("type", filter.offerTypes),
    ...any("category", filter.categories),
    ...any("attribute", filter.customAttributes),
    ...(filter.isCodeRedemptionOnly === false ? [lacks("terms", codeRedemption)] : []),
    ...(filter.excludeBlockchain ? [lacks("terms", blockchain)] : []),
    ...(filter.price === undefined ? [] : [priceTerm("priced")]),
    ...priceBounds(filter.price, region),
    ...(filter.onSale === true ? [priceTerm("onSale")] : []),
    ...(filter.onSale === false ? [lacks("price_terms", valueToken("onSale", region))] : []),
    ...(filter.isLowestPrice ? [priceTerm("lowest")] : []),
    ...(filter.pastGiveaways ? [`first_giveaway_start:<=${now}`] : []),
    ...(filter.only === "released" ? [`release_date:<=${now}`] : []),
    ...(filter.only === "upcoming" ? [`release_date:>${now}`] : []),
    ...(filter.only === "givenAway" ? ["has_giveaway:true"] : []),
  ];
}

function priceBounds(price: OfferSearch["filter"]["price"], region: string): string[] {
  if (price === undefined || !isRegion(region)) return [];
  const field = priceFields(region).price;
  return [
    ...(price.min === undefined ? [] : [`${field}:>=${inRange(price.min)}`]),
    ...(price.max === undefined ? [] : [`${field}:<=${inRange(price.max)}`]),
  ];
}

/** The server refuses numbers beyond 64 bits; no price is beyond 53. */
function inRange(amount: bigint): bigint {
  const limit = BigInt(Number.MAX_SAFE_INTEGER) + 1n;
  if (amount > limit) return limit;
  return amount < -limit ? -limit : amount;
}
