import { compareCodePoints } from "@storefront/database";
import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { offerFilter } from "./offer-filter.ts";

/** How far a query is followed: as many offers, the first ones of its order. */
export const maxMembers = 10_000;

/** What became of the offers that a query finds. */
export interface MembershipChanges {
  /** By id. */
  readonly left: readonly string[];
  /** By id. */
  readonly entered: readonly string[];
}

/** Compares what a query found with what it finds now; orders do not matter. */
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

/** Whether the clock alone changes what a canonical query finds: releases and giveaways come to pass, low prices pass away. */
export function changesWithTime(query: OfferQuery): boolean {
  const { only, pastGiveaways, lowestPriceOf } = offerFilter(query);
  const isReleaseAsked = only === "released" || only === "upcoming" || only === "out";
  const isLowAsked = lowestPriceOf !== undefined && lowestPriceOf !== LowWindow.UNSPECIFIED;
  return pastGiveaways === true || isReleaseAsked || isLowAsked;
}
