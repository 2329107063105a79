import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/trpc.ts";
import type { Aggregations, SearchInput } from "../api/types.ts";
import { useSettings } from "../layout/use-settings.ts";
import { searchInputOf } from "./search-params.ts";
import type { SearchParams } from "./search-params.ts";

/**
 * The page of offers of the URL; the previous one stays while the next one loads. The first page
 * includes the counts.
 */
export function useSearchResult(params: SearchParams) {
  const trpc = useTRPC();
  const settings = useSettings();
  const input = searchInputOf(params, settings);
  return useQuery(
    trpc.search.searchOffers.queryOptions(
      input.page === 1 ? counted(input) : { ...input, aggregations: false },
      { placeholderData: keepPreviousData },
    ),
  );
}

/** Counts over all pages: those of the first page, which is fetched once for all pages of a search. */
export function useCounts({ page: _page, ...first }: SearchParams) {
  const trpc = useTRPC();
  const settings = useSettings();
  return useQuery(
    trpc.search.searchOffers.queryOptions(counted(searchInputOf(first, settings)), {
      placeholderData: keepPreviousData,
      select: ({ aggregations }) => aggregations,
    }),
  );
}

/** Facets whose values are searched. */
export type SearchedFacet = Extract<
  keyof Aggregations,
  "tags" | "technologies" | "developer" | "publisher"
>;

/** Values of a facet that contain a text, unless it is empty; the previous ones stay while the next ones load. */
export function useFacetValues(
  { page: _page, ...first }: SearchParams,
  facetQuery: { facet: SearchedFacet; text: string },
) {
  const trpc = useTRPC();
  const settings = useSettings();
  const found = counted(searchInputOf(first, settings));
  const input = { ...found, aggregations: false, lows: false, highlight: false, limit: 1 };
  return useQuery(
    trpc.search.searchOffers.queryOptions(
      { ...input, facetQuery },
      {
        enabled: facetQuery.text !== "",
        placeholderData: keepPreviousData,
        select: ({ aggregations }) => aggregations[facetQuery.facet],
      },
    ),
  );
}

/** Requests counts that include the other values of an active filter. */
function counted(input: SearchInput): SearchInput {
  return { ...input, disjunctiveAggregations: true };
}

/** Maps the ids of a search's tags to names; ids are shown until the tags have loaded. */
export function useTagName({ tag = [] }: SearchParams): (id: string) => string {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.search.listTags.queryOptions(undefined, { enabled: tag.length > 0 }),
  );
  return (id) => data?.tags.find((known) => known.id === id)?.name ?? id;
}
