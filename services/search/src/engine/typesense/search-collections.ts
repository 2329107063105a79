import { unavailable } from "@storefront/rpc";
import { isTransient, reach } from "./typesense-client.ts";
import type { MultiSearch } from "./typesense-client.ts";

/** A search of a collection, with the server's parameters. */
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

export interface CollectionResult {
  readonly found: number;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  /** Matched words of each document by field, as spelled there; empty without `highlight_fields`. */
  readonly matches: readonly ReadonlyMap<string, readonly string[]>[];
  /** Relevance of each document, a 64-bit integer; 0 without a text. */
  readonly scores: readonly string[];
  /** Distance of each document's vector: 1 - cosine. Undefined without a `vector_query`. */
  readonly distances: readonly (number | undefined)[];
  /** The greatest weight of a field with a word, by document. Undefined without a `q`. */
  readonly weights: readonly (number | undefined)[];
  readonly facets: ReadonlyMap<string, readonly { value: string; count: number }[]>;
  readonly isTimedOut: boolean;
}

export class SearchRefused extends Error {
  /** HTTP status of this search. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends searches in one request, whose body is unlimited, so that no filter is too long.
 *
 * @returns one result for each search, in order
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
      throw isTransient(refused.status) ? unavailable("typesense", refused) : refused;
    }
    return {
      found: response.found,
      documents: (response.hits ?? []).map(({ document }) => document),
      matches: (response.hits ?? []).map(
        ({ highlights = [] }) =>
          new Map(
            // By element for a list field.
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
  if (results.length !== searches.length) throw new Error("the response lacks results");
  return results as { [Index in keyof Searches]: CollectionResult };
}

/** The client's types lack this member. */
function distanceOf(hit: object): number | undefined {
  if (!("vector_distance" in hit)) return undefined;
  return typeof hit.vector_distance === "number" ? hit.vector_distance : undefined;
}

export function idsOf({ documents }: CollectionResult): string[] {
  return documents.map(({ id }) => String(id));
}
