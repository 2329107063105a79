import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import type { AggregationName, OfferFilter, OfferSearch } from "../engine/offer-search.ts";
import { canonicalQuery } from "./canonical-query.ts";
import { offerOrder } from "./offer-order.ts";
import { countedFields } from "./offer-terms.ts";

/** The conditions of a canonical query for engines. */
export function offerFilter(query: OfferQuery): OfferFilter {
  const { title, ...members } = query;
  return {
    ...members,
    text: title === "" ? undefined : title,
    only: offerOrder(query).only,
  };
}

/** A filter that every offer passes. */
export const everything = offerFilter(canonicalQuery());

/** The filter field on the values of a count. */
export type OwnFilter = keyof OfferFilter;

/**
 * Counts of a search that ignore their own filter, by that filter. Only for filters that are set; all others
 * count the results.
 */
export function ownFilters({
  filter,
  aggregations,
  isDisjunctive = false,
}: Pick<OfferSearch, "filter" | "aggregations" | "isDisjunctive">): ReadonlyMap<
  AggregationName,
  OwnFilter
> {
  if (!isDisjunctive) return new Map();
  return new Map(
    aggregations.flatMap((name) => {
      const own = ownFilterOf(name);
      return own === undefined || !isSet(filter[own]) ? [] : [[name, own] as const];
    }),
  );
}

/** A filter without some of its conditions. */
export function withoutFilters(filter: OfferFilter, members: Iterable<OwnFilter>): OfferFilter {
  const absent = Object.fromEntries([...members].map((member) => [member, undefined]));
  return { ...filter, ...absent };
}

/** Undefined where a filter requires all of several values: another value narrows the results. */
function ownFilterOf(name: AggregationName): OwnFilter | undefined {
  if (name === "prices") return "price";
  const field = countedFields.get(name);
  if (field?.count?.chosenBy !== undefined) return field.count.chosenBy;
  return field?.filter === undefined || field.filter.match === "all"
    ? undefined
    : field.filter.input;
}

function isSet(condition: OfferFilter[OwnFilter]): boolean {
  return Array.isArray(condition) ? condition.length > 0 : condition !== undefined;
}
