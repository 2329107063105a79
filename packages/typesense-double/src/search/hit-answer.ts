import { texts } from "../documents/collection.ts";
import type { Collection } from "../documents/collection.ts";
import type { JsonObject } from "../json.ts";
import { isArray } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { tokens } from "../text/tokenize.ts";
import type { Hit } from "./find-hits.ts";
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
  const { includeFields, excludeFields } = context.parameters;
  const { match, vectorDistance, fusion, stored } = hit;
  return {
    document: pruneDocument(stored.document, includeFields, excludeFields),
    ...highlight(stored.document, context),
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

/** A text with its matched words marked, and those words as the text writes them. */
interface Snippet {
  snippet: string;
  matched_tokens: string[];
}

/** `highlights` and `highlight` of a hit: the fields whose words matched, with the words marked. */
function highlight(
  document: JsonObject,
  context: HitContext,
): { highlight: JsonObject; highlights: JsonObject[] } {
  const highlights: JsonObject[] = [];
  const byField: JsonObject = {};
  for (const { field } of context.matchedWords.size === 0 ? [] : context.fields) {
    const snippets = texts(document[field.name]).map((text) => mark(field, text, context));
    const indices = snippets.flatMap((snippet, index) =>
      snippet.matched_tokens.length > 0 ? [index] : [],
    );
    const [first] = indices.map((index) => snippets[index]);
    if (first === undefined) continue;
    if (isArray(field)) {
      const hit = indices.flatMap((index) => snippets[index] ?? []);
      highlights.push({
        field: field.name,
        indices,
        matched_tokens: hit.map((snippet) => snippet.matched_tokens),
        snippets: hit.map((snippet) => snippet.snippet),
      });
      byField[field.name] = snippets;
    } else {
      highlights.push({ field: field.name, ...first });
      byField[field.name] = first;
    }
  }
  return { highlight: byField, highlights };
}

function mark(
  field: Field,
  text: string,
  { collection, parameters, matchedWords: matched }: HitContext,
): Snippet {
  const words = tokens(text, collection.tokenRules(field));
  const first = words.findIndex(({ word }) => matched.has(word));
  const isShort = words.length <= parameters.snippetThreshold;
  const around = parameters.highlightAffixTokens;
  const shown = isShort ? words : words.slice(Math.max(0, first - around), first + around + 1);
  const begin = isShort ? 0 : (shown[0]?.start ?? 0);
  const end = isShort ? text.length : (shown.at(-1)?.end ?? 0);
  let at = begin;
  let snippet = "";
  const found: string[] = [];
  for (const { word, start, end: wordEnd } of shown) {
    const match = matched.get(word);
    if (match === undefined) continue;
    const stop = match.isPrefix ? Math.min(wordEnd, start + match.length) : wordEnd;
    const marked = text.slice(start, stop);
    snippet += text.slice(at, start);
    snippet += `${parameters.highlightStartTag}${marked}${parameters.highlightEndTag}`;
    found.push(marked);
    at = stop;
  }
  return { snippet: snippet + text.slice(at, end), matched_tokens: found };
}
