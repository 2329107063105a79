import type { Collection, StoredDocument } from "../documents/collection.ts";
import { texts } from "../documents/collection.ts";
import type { JsonObject } from "../json.ts";
import { isArray } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { tokens } from "../text/tokenize.ts";
import type { SearchField } from "./search-fields.ts";
import type { SearchParameters } from "./search-parameters.ts";
import type { MatchedWords } from "./text-search.ts";

/** A text with its matched words marked, and those words as the text writes them. */
interface Snippet {
  snippet: string;
  matched_tokens: string[];
}

/** `highlights` and `highlight` of a hit: the fields whose words matched, with the words marked. */
export function highlight(
  collection: Collection,
  fields: readonly SearchField[],
  stored: StoredDocument,
  matched: MatchedWords,
  parameters: SearchParameters,
): { highlight: JsonObject; highlights: JsonObject[] } {
  const highlights: JsonObject[] = [];
  const byField: JsonObject = {};
  for (const { field } of matched.size === 0 ? [] : fields) {
    const snippets = texts(stored.document[field.name]).map((text) =>
      mark(collection, field, text, matched, parameters),
    );
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
  collection: Collection,
  field: Field,
  text: string,
  matched: MatchedWords,
  parameters: SearchParameters,
): Snippet {
  const words = tokens(text, {
    locale: field.locale,
    symbols: field.symbols_to_index ?? collection.schema.symbolsToIndex,
    separators: field.token_separators ?? collection.schema.tokenSeparators,
  });
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
