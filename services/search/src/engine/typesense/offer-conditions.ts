import type { Region } from "@storefront/identifiers";
import { isRegion } from "@storefront/regions";
import { latestLowestSinceMs } from "../../domain/price-history.ts";
import { termConditions } from "../../domain/offer-terms.ts";
import { integerColumns } from "../column-names.ts";
import type { OfferSelection } from "../offer-search.ts";
import { priceFields, priceStates } from "./collections.ts";
import { hasAll, hasAny, lacks } from "./filter-by.ts";
import { termToken } from "./term-fields.ts";

/** A document may be of prices only. */
export const anyOffer = "is_offer:true";

/** What no document fulfils. */
const nothing = "is_offer:[]";

/** The conditions of a filter, text aside. */
export function offerConditions({ filter, region, nowMs }: OfferSelection): string[] {
  const { all, any, none } = termConditions(filter);
  const now = Math.trunc(nowMs);
  const latestMs = latestLowestSinceMs(filter.lowestPriceOf, now);
  const isOut = filter.only === "out" || latestMs !== undefined;
  return [
    anyOffer,
    ...hasAll("terms", all.map(termToken)),
    ...any.map((terms) => hasAny("terms", terms.map(termToken))),
    ...none.map((term) => lacks("terms", termToken(term))),
    ...(isRegion(region) ? priceConditions(filter, region) : withoutPrices(filter)),
    ...lowestConditions(latestMs, region),
    ...(filter.pastGiveaways ? [`first_giveaway_start:<=${now}`] : []),
    ...(isOut ? [`${integerColumns.get("outSinceMs")}:<=${now}`] : []),
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
    // What has no price is not on sale either.
    ...(onSale === false ? [`${fields.state}:!=[${reduced},${lowest}]`] : []),
    ...(isLowestPrice ? [`${fields.state}:=${lowest}`] : []),
  ];
}

/** In a region that does not exist. */
function withoutPrices({ price, onSale, isLowestPrice }: Filter): string[] {
  return price !== undefined || onSale === true || isLowestPrice === true ? [nothing] : [];
}

function lowestConditions(latestMs: number | undefined, region: Region): string[] {
  if (latestMs === undefined) return [];
  return [isRegion(region) ? `${priceFields(region).lowestSince}:<=${latestMs}` : nothing];
}

/** The server refuses numbers beyond 64 bits; no price is beyond 53. */
function inRange(amount: bigint): bigint {
  const limit = BigInt(Number.MAX_SAFE_INTEGER) + 1n;
  if (amount > limit) return limit;
  return amount < -limit ? -limit : amount;
}
