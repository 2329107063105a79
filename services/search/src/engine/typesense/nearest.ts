import type { QueryVector, TextMeaningSearch } from "../offer-search.ts";
import { allConditions } from "./filter-by.ts";
import { embedding, vectorFields } from "./vector-fields.ts";

/**
 * Longest wait of the server for the endpoint of a model, in milliseconds; less than this package waits
 * for the server, which then can say whose fault it is.
 */
const endpointTimeoutMs = 1_500;

/** Parameters of a search for the nearest offers: to the vector, or to one that the server makes of the text. */
export function nearestTo(
  search: TextMeaningSearch | (TextMeaningSearch & QueryVector),
  limit: number,
) {
  if ("vector" in search) {
    const field = vectorFields[search.space?.set ?? 0];
    return {
      q: "*",
      filter_by: allConditions(["is_offer:true"]),
      vector_query: `${field}:([${search.vector.join(",")}], k:${limit})`,
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
    filter_by: allConditions(["is_offer:true", `${embedding.counts}:true`]),
    vector_query: `${embedding.vector}:([], k:${limit})`,
    remote_embedding_timeout_ms: endpointTimeoutMs,
    remote_embedding_num_tries: 1,
    limit,
  };
}
