import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/trpc.ts";
import { useSettings } from "../layout/use-settings.ts";
import { searchInputOf } from "./search-params.ts";
import type { SearchParams } from "./search-params.ts";

/** The page of offers that the address asks for; the one before stays while the next one comes. */
export function useSearchAnswer(params: SearchParams) {
  const trpc = useTRPC();
  const settings = useSettings();
  return useQuery(
    trpc.search.searchOffers.queryOptions(
      { ...searchInputOf(params, settings), aggregations: false },
      { placeholderData: keepPreviousData },
    ),
  );
}

/** Counts over all pages: asked for once for all pages and orders of what is found. */
export function useCounts(params: SearchParams) {
  const trpc = useTRPC();
  const settings = useSettings();
  const input = { ...searchInputOf(withoutPlace(params), settings), limit: 1 };
  return useQuery(
    trpc.search.searchOffers.queryOptions(input, {
      placeholderData: keepPreviousData,
      select: ({ aggregations }) => aggregations,
    }),
  );
}

/** Orders that consider some offers only, so that they count others. */
const narrowing: ReadonlySet<string | undefined> = new Set([
  "releaseDate",
  "upcoming",
  "giveawayDate",
]);

/** Without the page, and the order where it does not change what is counted. */
function withoutPlace({ page: _page, sort, ...counted }: SearchParams): SearchParams {
  return sort !== undefined && narrowing.has(sort) ? { ...counted, sort } : counted;
}

/**
 * Counts as they would be without one filter, so that its other values can be chosen as well.
 *
 * @returns undefined while the filter is not used, when the search's own counts say the same
 */
export function useCountsWithout(params: SearchParams, names: readonly (keyof SearchParams)[]) {
  const trpc = useTRPC();
  const settings = useSettings();
  const others: SearchParams = { ...params };
  for (const name of names) delete others[name];
  const { sort: _sort, page: _page, ...counted } = others;
  const input = { ...searchInputOf(counted, settings), limit: 1 };
  const { data } = useQuery(
    trpc.search.searchOffers.queryOptions(input, {
      enabled: names.some((name) => params[name] !== undefined),
      placeholderData: keepPreviousData,
      select: ({ aggregations }) => aggregations,
    }),
  );
  return names.some((name) => params[name] !== undefined) ? data : undefined;
}
