import type { Collection } from "../documents/collection.ts";
import type { JsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";
import { countFacets } from "./count-facets.ts";
import { findHits } from "./find-hits.ts";
import { checkGrouping, groupHits } from "./group-hits.ts";
import { hitAnswer } from "./hit-answer.ts";
import type { HitContext } from "./hit-answer.ts";
import { parseFacets } from "./parse-facets.ts";
import { parseQuery } from "./parse-query.ts";
import { parseSortBy } from "./parse-sort-by.ts";
import { embedQuery } from "./query-embedding.ts";
import { readSearchFields } from "./search-fields.ts";
import { readSearchParameters } from "./search-parameters.ts";
import type { RawParameters, SearchParameters } from "./search-parameters.ts";
import { sortHits } from "./sort-hits.ts";
import { parseVectorQuery } from "./vector-query.ts";

const perPageMax = 250;

/**
 * Answers one search.
 *
 * @throws TypesenseError 400, 404 or 422 in the server's words.
 */
export function runSearch(collection: Collection, raw: RawParameters): JsonObject {
  const startedMs = performance.now();
  const { parameters, made } = embedQuery(collection, readSearchParameters(raw));
  const fields = readSearchFields(collection, parameters);
  const vector =
    parameters.vectorQuery === ""
      ? undefined
      : parseVectorQuery(collection, parameters.vectorQuery, made);
  if (parameters.vectorQuery !== "" && vector === undefined && parameters.q !== "*") {
    throw new TypesenseError("Vector query could not find any embedded fields.");
  }
  checkGrouping(collection, parameters);
  const facets = parseFacets(collection, parameters);
  const range = pageRange(parameters);
  const isText = parameters.q !== "*" && fields.length > 0;
  const keys = parseSortBy(collection, parameters, { isText, isVector: vector !== undefined });
  const found = findHits(collection, fields, parameters, vector, range.end);
  const context: HitContext = {
    collection,
    fields,
    parameters,
    matchedWords: found.matchedWords,
    queryWords: parseQuery(collection, isText ? fields : [], parameters.q).words.length,
    showsTextMatch: keys.some((key) => key.kind === "textMatch"),
  };
  const isGrouped = parameters.groupBy.length > 0;
  const sizes = new Map(
    groupHits(found.hits, parameters).flatMap((g) => g.hits.map((hit) => [hit, g.hits.length])),
  );
  const sorted = sortHits(found.hits, keys, isGrouped ? sizes : undefined);
  const groups = isGrouped
    ? groupHits(sorted, parameters)
    : sorted.map((hit) => ({ key: [], hits: [hit] }));
  const units = groups.map(({ hits }) => hits.map((hit) => hit.stored));
  const page = groups.slice(range.start, range.end);
  const answer: JsonObject = {
    facet_counts: countFacets(collection, facets, units, parameters),
    found: groups.length,
    ...(isGrouped
      ? {
          found_docs: sorted.length,
          grouped_hits: page.map(({ key, hits }) => ({
            found: hits.length,
            group_key: key,
            hits: hits.slice(0, parameters.groupLimit).map((hit) => hitAnswer(hit, context)),
          })),
        }
      : { hits: page.flatMap(({ hits }) => hits.map((hit) => hitAnswer(hit, context))) }),
    out_of: collection.size,
    ...range.label,
    request_params: {
      collection_name: collection.name,
      first_q: raw.get("q"),
      per_page: parameters.perPage,
      q: raw.get("q"),
    },
    search_cutoff: false,
    search_time_ms: Math.round(performance.now() - startedMs),
  };
  for (const name of ["out_of", "search_time_ms"]) {
    if (parameters.excludeFields.includes(name)) delete answer[name];
  }
  return answer;
}

/** Which hits are on the page, and how the answer names it. `page` wins over `offset`. */
function pageRange(parameters: SearchParameters): {
  start: number;
  end: number;
  label: JsonObject;
} {
  const { page, offset, perPage, limitHits } = parameters;
  if (perPage > perPageMax) {
    throw new TypesenseError(`Only upto ${perPageMax} hits can be fetched per page.`, 422);
  }
  const byOffset = page === 0 && offset > 0;
  const start = byOffset ? offset : (Math.max(1, page) - 1) * perPage;
  return {
    start,
    end: Math.max(start, Math.min(start + perPage, limitHits)),
    label: byOffset ? { offset } : { page: Math.max(1, page) },
  };
}
