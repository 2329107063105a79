import { unavailable } from "@storefront/rpc";
import { isPassing, reach } from "./typesense-client.ts";
import type { MultiSearch } from "./typesense-client.ts";

/** One search of a collection, in the server's own words. */
export interface CollectionSearch {
  readonly collection: string;
  readonly q: string;
  readonly query_by?: string;
  readonly filter_by?: string;
  readonly sort_by?: string;
  readonly facet_by?: string;
  readonly max_facet_values?: number;
  readonly include_fields?: string;
  readonly offset?: number;
  /** At most 250. */
  readonly limit?: number;
  readonly [parameter: string]: string | number | boolean | undefined;
}

/** What a search found. */
export interface CollectionResult {
  readonly found: number;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  /** Of each document the words that a text matched, as they are in it, by field; without `highlight_fields` none. */
  readonly matches: readonly ReadonlyMap<string, readonly string[]>[];
  /** How well a text matches each document, an integer of 64 bits; without a text 0. */
  readonly scores: readonly string[];
  /** How far each document's vector is: 1 less the cosine. Undefined without a `vector_query`. */
  readonly distances: readonly (number | undefined)[];
  /** The greatest weight of a field in which each document has a word. Undefined without a `q`. */
  readonly weights: readonly (number | undefined)[];
  readonly facets: ReadonlyMap<string, readonly { value: string; count: number }[]>;
  readonly isTimedOut: boolean;
}

export class SearchRefused extends Error {
  /** HTTP status that it would have had by itself. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Searches in one request, whose body has no limit that a filter could exceed.
 *
 * @returns results in the order of the searches; there is one for each.
 * @throws ServiceError UNAVAILABLE; SearchRefused when the server refuses any of them.
 */
export async function searchCollections<const Searches extends readonly CollectionSearch[]>(
  multiSearch: MultiSearch,
  searches: Searches,
): Promise<{ [Index in keyof Searches]: CollectionResult }> {
  let responses = await reach("multi_search", () => multiSearch(searches));
  // An index of an earlier release lacks facets, until it is rebuilt: their counts are empty.
  if (responses.some(({ error }) => error?.startsWith("Could not find a facet field") === true)) {
    const lenient = searches.map((search) => ({ ...search, validate_field_names: false }));
    responses = await reach("multi_search", () => multiSearch(lenient));
  }
  const results = responses.map((response): CollectionResult => {
    if (response.error !== undefined || response.code !== undefined) {
      const refused = new SearchRefused(response.code ?? 500, response.error ?? "no reason given");
      throw isPassing(refused.status) ? unavailable("typesense", refused) : refused;
    }
    return {
      found: response.found,
      documents: (response.hits ?? []).map(({ document }) => document),
      matches: (response.hits ?? []).map(
        ({ highlights = [] }) =>
          new Map(
            // Of a list they are by element.
            highlights.map(({ field, matched_tokens }) => [field, matched_tokens.flat()]),
          ),
      ),
      scores: (response.hits ?? []).map(({ text_match_info: match }) => match?.score ?? "0"),
      distances: (response.hits ?? []).map(distanceOf),
      weights: (response.hits ?? []).map(({ text_match_info: match }) => match?.best_field_weight),
      facets: new Map(
        (response.facet_counts ?? []).map(({ field_name, counts }) => [field_name, counts]),
      ),
      isTimedOut: response.search_cutoff ?? false,
    };
  });
  if (results.length !== searches.length) throw new Error("not every search was answered");
  return results as { [Index in keyof Searches]: CollectionResult };
}

/** The client's types do not know the member. */
function distanceOf(hit: object): number | undefined {
  if (!("vector_distance" in hit)) return undefined;
  return typeof hit.vector_distance === "number" ? hit.vector_distance : undefined;
}

export function idsOf({ documents }: CollectionResult): string[] {
  return documents.map(({ id }) => String(id));
}
