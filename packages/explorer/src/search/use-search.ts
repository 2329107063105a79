import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/trpc.ts";
import type { SearchInput } from "../api/types.ts";
import { useSettings } from "../layout/use-settings.ts";
import type { Settings } from "../settings.ts";
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

/** Counts over all pages: asked for once for all pages of what is found in an order, which may narrow it. */
export function useCounts(params: SearchParams) {
  const trpc = useTRPC();
  const settings = useSettings();
  return useQuery(
    trpc.search.searchOffers.queryOptions(countsInput(params, settings), {
      placeholderData: keepPreviousData,
      select: ({ aggregations }) => aggregations,
    }),
  );
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
  const isUsed = names.some((name) => params[name] !== undefined);
  const { data } = useQuery(
    trpc.search.searchOffers.queryOptions(countsInput(others, settings), {
      enabled: isUsed,
      placeholderData: keepPreviousData,
      select: ({ aggregations }) => aggregations,
    }),
  );
  return isUsed ? data : undefined;
}

/** What asks for counts, and for as few offers as can be. */
function countsInput({ page: _page, ...counted }: SearchParams, settings: Settings): SearchInput {
  return { ...searchInputOf(counted, settings), limit: 1 };
}
