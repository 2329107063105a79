import type { Region } from "@storefront/identifiers";
import { isRegion } from "@storefront/regions";
import { latestLowestSinceMs } from "../../domain/low-window.ts";
import { termConditions } from "../../domain/offer-terms.ts";
import { integerColumns } from "../column-names.ts";
import type { OfferSearch } from "../offer-search.ts";
import { priceFields } from "./collections.ts";
import { hasAll, hasAny, lacks } from "./filter-by.ts";
import { termToken, tokenFieldOf, tokenFields } from "./term-fields.ts";
import { valueToken } from "./tokens.ts";

/** A document may be of prices only. */
export const anyOffer = "is_offer:true";

/** The conditions of a filter, text aside. */
export function offerConditions({
  filter,
  region,
  nowMs,
}: Pick<OfferSearch, "filter" | "region" | "nowMs">): string[] {
  const { all, any, none } = termConditions(filter);
  const priceTerm = (kind: string) => hasAll("price_terms", [valueToken(kind, region)]);
  const now = Math.trunc(nowMs);
  const latestMs = latestLowestSinceMs(filter.lowestPriceOf, now);
  const isOut = filter.only === "out" || latestMs !== undefined;
  return [
    anyOffer,
    ...tokenFields.flatMap((field) => {
      const wanted = all.filter(({ kind }) => tokenFieldOf(kind) === field);
      return wanted.length === 0 ? [] : [hasAll(field, wanted.map(termToken))];
    }),
    ...any.map((terms) => hasAny("terms", terms.map(termToken))),
    ...none.map((term) => lacks("terms", termToken(term))),
    ...(filter.price === undefined ? [] : [priceTerm("priced")]),
    ...priceBounds(filter.price, region),
    ...(filter.onSale === true ? [priceTerm("onSale")] : []),
    ...(filter.onSale === false ? [lacks("price_terms", valueToken("onSale", region))] : []),
    ...(filter.isLowestPrice ? [priceTerm("lowest")] : []),
    ...lowestConditions(latestMs, region),
    ...(filter.pastGiveaways ? [`first_giveaway_start:<=${now}`] : []),
    ...(isOut ? [`${integerColumns.get("outSinceMs")}:<=${now}`] : []),
    ...(filter.only === "released" ? [`release_date:<=${now}`] : []),
    ...(filter.only === "upcoming" ? [`release_date:>${now}`] : []),
    ...(filter.only === "givenAway" ? ["has_giveaway:true"] : []),
  ];
}

/** A region that does not exist has no price that is the lowest. */
function lowestConditions(latestMs: number | undefined, region: Region): string[] {
  if (latestMs === undefined) return [];
  return isRegion(region)
    ? [`${priceFields(region).lowestSince}:<=${latestMs}`]
    : [hasAll("price_terms", [valueToken("priced", region)])];
}

function priceBounds(price: OfferSearch["filter"]["price"], region: Region): string[] {
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
