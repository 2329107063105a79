import type { QueryVector, TextMeaningSearch } from "../offer-search.ts";
import { allConditions } from "./filter-by.ts";
import { embedding, vectorFields } from "./vector-fields.ts";

/**
 * Longest wait of the server for the endpoint of a model, in milliseconds; less than this package waits
 * for the server, which then can say whose fault it is.
 */
const endpointTimeoutMs = 1_500;

/** What fewer offers fulfil is searched in full: the graph of vectors leads past what is rare. */
const flatSearchCutoff = 20_000;

/**
 * Parameters of a search for the nearest offers that fulfil conditions: to the vector, or to one that
 * the server makes of the text.
 */
export function nearestTo(
  search: TextMeaningSearch | (TextMeaningSearch & QueryVector),
  conditions: readonly string[],
  limit: number,
) {
  const options = `k:${limit}, flat_search_cutoff:${flatSearchCutoff}`;
  if ("vector" in search) {
    const field = vectorFields[search.space?.set ?? 0];
    return {
      q: "*",
      filter_by: allConditions(conditions),
      vector_query: `${field}:([${search.vector.join(",")}], ${options})`,
      limit,
    };
  }
  // An asterisk alone would find everything.
  const text = search.text.replaceAll("*", " ").trim();
  return {
    q: text === "" ? search.text.length.toString() : text,
    query_by: embedding.vector,
    // Models of an endpoint refuse it.
    prefix: false,
    filter_by: allConditions([...conditions, `${embedding.counts}:true`]),
    vector_query: `${embedding.vector}:([], ${options})`,
    remote_embedding_timeout_ms: endpointTimeoutMs,
    remote_embedding_num_tries: 1,
    limit,
  };
}
