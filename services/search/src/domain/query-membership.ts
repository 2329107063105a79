import { compareCodePoints } from "@storefront/database";
import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { offerFilter } from "./offer-filter.ts";

/** Maximum followed offers of a query, the first ones of its order. */
export const maxMembers = 10_000;

/** Changes of a query's results. */
interface MembershipChanges {
  /** By id. */
  readonly left: readonly string[];
  /** By id. */
  readonly entered: readonly string[];
}

/** Compares two results of a query; order does not matter. */
export function membershipChanges(
  before: readonly string[],
  now: readonly string[],
): MembershipChanges {
  const known = new Set(before);
  const found = new Set(now);
  return {
    left: before.filter((id) => !found.has(id)).toSorted(compareCodePoints),
    entered: now.filter((id) => !known.has(id)).toSorted(compareCodePoints),
  };
}

/** Whether time alone changes the results of a canonical query: releases and giveaways begin, low prices expire. */
export function changesWithTime(query: OfferQuery): boolean {
  const { only, pastGiveaways, lowestPriceOf } = offerFilter(query);
  const dependsOnRelease = only === "released" || only === "upcoming" || only === "out";
  const dependsOnLows = lowestPriceOf !== undefined && lowestPriceOf !== LowWindow.UNSPECIFIED;
  return pastGiveaways === true || dependsOnRelease || dependsOnLows;
}
