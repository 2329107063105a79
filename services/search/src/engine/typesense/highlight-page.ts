import { findMatches } from "../../domain/find-matches.ts";
import { highlightsOf } from "../../domain/highlights.ts";
import type { Highlights } from "../../domain/highlights.ts";
import { indexWords } from "../../domain/text-words.ts";
import { textFields } from "./collections.ts";
import type { CollectionAnswer } from "./search-collections.ts";

const { title, spellings, description } = textFields;

/** Parameters of a search that `highlightsOfPage` reads: the texts, and which words of them matched. */
export const highlighting = {
  include_fields: ["id", title, description].join(","),
  highlight_fields: [title, spellings, description].join(","),
} as const;

/**
 * Highlights of found offers by id. The server tells the words that matched; they are marked as by any other engine, for
 * its own tags could stand in a text and its snippets have no greatest length.
 */
export function highlightsOfPage(page: CollectionAnswer): Map<string, Highlights> {
  const matched = (index: number, field: string, matchedIn: readonly string[]) => {
    const text = page.documents[index]?.[field];
    const words = matchedIn.flatMap((name) => page.matches[index]?.get(name) ?? []);
    const wanted = { whole: new Set(words.flatMap((word) => indexWords(word))), begun: [] };
    if (typeof text !== "string") return { text: "", matches: [] };
    return { text, matches: findMatches(text, wanted, { joinsNeighbours: field === title }) };
  };
  return new Map(
    page.documents.map(({ id }, index) => [
      String(id),
      highlightsOf({
        title: matched(index, title, [title, spellings]),
        description: matched(index, description, [description]),
      }),
    ]),
  );
}
