import type { Collection } from "../documents/collection.ts";
import type { JsonObject } from "../json.ts";
import { highlight } from "./highlight.ts";
import type { Hit } from "./hit.ts";
import { pruneDocument } from "./prune-document.ts";
import type { SearchField } from "./search-fields.ts";
import type { SearchParameters } from "./search-parameters.ts";
import type { MatchedWords } from "./text-search.ts";

/** What the hits of an answer show beside the document. */
export interface HitContext {
  collection: Collection;
  fields: readonly SearchField[];
  parameters: SearchParameters;
  matchedWords: MatchedWords;
  /** Words of the query, from which the number of dropped ones is told. */
  queryWords: number;
  /** Whether the text match is one of the keys of the order; only then hits carry it. */
  showsTextMatch: boolean;
}

/** One entry of `hits`. `text_match` is a 64-bit number, so its last digits are lost. */
export function hitAnswer(hit: Hit, context: HitContext): JsonObject {
  const { collection, fields, parameters, matchedWords } = context;
  const { match, vectorDistance, fusion, stored } = hit;
  return {
    document: pruneDocument(stored.document, parameters.includeFields, parameters.excludeFields),
    ...highlight(collection, fields, stored, matchedWords, parameters),
    ...(match !== undefined &&
      context.showsTextMatch && {
        text_match: Number(match.score),
        text_match_info: {
          best_field_score: String(match.bestFieldScore),
          best_field_weight: match.bestFieldWeight,
          fields_matched: match.fieldsMatched,
          num_tokens_dropped: Math.max(0, context.queryWords - match.tokensMatched),
          score: String(match.score),
          tokens_matched: match.tokensMatched,
          typo_prefix_score: match.typoPrefixScore,
        },
      }),
    ...(fusion !== undefined && { hybrid_search_info: { rank_fusion_score: fusion } }),
    ...(vectorDistance !== undefined && { vector_distance: vectorDistance }),
  };
}
