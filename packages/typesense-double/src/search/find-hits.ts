import type { Collection, StoredDocument } from "../documents/collection.ts";
import { parseFilter } from "../filter/parse-filter.ts";
import { parseQuery } from "./parse-query.ts";
import type { TextMatch } from "./score-match.ts";
import type { SearchField } from "./search-fields.ts";
import type { SearchParameters } from "./search-parameters.ts";
import { hasPhrase, searchText } from "./text-search.ts";
import type { MatchedWords } from "./text-search.ts";
import { searchVectors } from "./vector-search.ts";
import type { VectorMatch } from "./vector-search.ts";
import type { VectorQuery } from "./vector-query.ts";

/** A document that was found, and why. */
export interface Hit {
  stored: StoredDocument;
  /** Of a text query; a hit by vector alone scores 0. */
  match?: TextMatch;
  vectorDistance?: number;
  /** Of a hybrid query: what takes the place of the text score in the order. */
  fusion?: number;
}

/** Everything that a search finds, in no order, before paging. */
export interface FoundHits {
  hits: Hit[];
  /** Empty unless words were searched. */
  matchedWords: MatchedWords;
}

/** Vectors that take part in a hybrid search when neither `k` nor the page wants more. */
const hybridVectors = 100;

/**
 * Runs the filter, then the text, the vector, or both. Without words (`*`, punctuation, exclusions
 * only) everything the filter leaves is found.
 *
 * @param pageEnd how many hits the page reaches to; without `k` so many vectors are found.
 */
export function findHits(
  collection: Collection,
  fields: readonly SearchField[],
  parameters: SearchParameters,
  vector: VectorQuery | undefined,
  pageEnd: number,
): FoundHits {
  if (parameters.q !== "*" && fields.length === 0) {
    // Every field of `query_by` is unknown, and that was not to be an error.
    return { hits: [], matchedWords: new Map() };
  }
  const passes = parseFilter(collection, parameters.filterBy, parameters.validateFieldNames);
  const query = parseQuery(collection, parameters.q === "*" ? [] : fields, parameters.q);
  const allowed = new Set<StoredDocument>();
  for (const stored of collection.all()) {
    if (
      passes(stored) &&
      query.phrases.every((phrase) => hasPhrase(collection, fields, stored, phrase)) &&
      !query.excluded.some((phrase) => hasPhrase(collection, fields, stored, phrase))
    ) {
      allowed.add(stored);
    }
  }
  const flat =
    vector !== undefined &&
    parameters.filterBy.trim() !== "" &&
    allowed.size < vector.flatSearchCutoff;
  if (query.words.length === 0) {
    const marked = new Map(
      query.phrases.flat().map((word) => [word, { length: word.length, isPrefix: false }]),
    );
    if (vector === undefined) {
      return { hits: Array.from(allowed, (stored) => ({ stored })), matchedWords: marked };
    }
    const limit = flat ? undefined : vector.k || pageEnd;
    const hits = searchVectors(allowed, vector, limit).map(({ stored, distance }) => ({
      stored,
      vectorDistance: distance,
    }));
    return { hits, matchedWords: marked };
  }
  const { matches, matchedWords } = searchText(collection, fields, query, parameters, allowed);
  const hits = Array.from(matches, ([stored, match]): Hit => ({ stored, match }));
  if (vector === undefined) return { hits, matchedWords };
  const limit = flat ? undefined : vector.k || Math.max(pageEnd, hybridVectors);
  return { hits: fuse(hits, searchVectors(allowed, vector, limit), vector.alpha), matchedWords };
}

const noMatch: TextMatch = {
  score: 0n,
  bestFieldScore: 0n,
  bestFieldWeight: 0,
  fieldsMatched: 0,
  tokensMatched: 0,
  typoPrefixScore: 255,
};

/**
 * Joins the hits by words and by vector: (1 - alpha) / rank by words + alpha / rank by vector. Hits
 * with the same text score share their rank.
 */
function fuse(hits: readonly Hit[], vectors: readonly VectorMatch[], alpha: number): Hit[] {
  const distances = new Map(
    vectors.map(({ stored, distance }, index) => [stored, { distance, rank: index + 1 }]),
  );
  const scores = [...new Set(hits.map((hit) => hit.match?.score ?? 0n))];
  const ranks = new Map(
    scores.toSorted((a, b) => (a < b ? 1 : -1)).map((score, index) => [score, index + 1]),
  );
  const byWords = hits.map((hit): Hit => {
    const near = distances.get(hit.stored);
    const byText = (1 - alpha) / (ranks.get(hit.match?.score ?? 0n) ?? 1);
    if (near === undefined) return { ...hit, fusion: byText };
    return { ...hit, fusion: byText + alpha / near.rank, vectorDistance: near.distance };
  });
  const found = new Set(hits.map((hit) => hit.stored));
  const byVector = [...distances]
    .filter(([stored]) => !found.has(stored))
    .map(([stored, { distance, rank }]): Hit => ({
      stored,
      match: noMatch,
      vectorDistance: distance,
      fusion: alpha / rank,
    }));
  return [...byWords, ...byVector];
}
