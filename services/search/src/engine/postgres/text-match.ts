import type { Queryable } from "@storefront/database";
import { mayBeCorrected, QueryCorrections } from "../../domain/query-corrections.ts";
import { textQuery } from "../../domain/text-query.ts";
import type { QueryChunk, QueryWord } from "../../domain/text-query.ts";
import { textKey } from "../../domain/text-words.ts";
import type { Correction, WordList } from "../../domain/word-list.ts";
import type { TextTable } from "./text-tables.ts";

/** How a text finds offers. */
export interface TextMatch {
  /** A `tsquery` without weights: `%w` stands where those of a word go, `%p` where those of a prefix go. */
  readonly pattern: string;
  /** The text, folded, as titles are. */
  readonly key: string;
}

/** A `tsquery` that looks at words of these weights; empty means all. */
export function weighted(match: Pick<TextMatch, "pattern">, weights: string): string {
  return match.pattern
    .replaceAll("%p", `:*${weights}`)
    .replaceAll("%w", weights === "" ? "" : `:${weights}`);
}

/** The same for whole words only: nothing that is longer than what was typed. */
export function wholeWords({ pattern }: Pick<TextMatch, "pattern">): Pick<TextMatch, "pattern"> {
  return { pattern: pattern.replaceAll("%p", "%w") };
}

/**
 * How to find what a text asks for. As typed, if any offer has all words in its title, developer,
 * publisher or tags; otherwise with what may have been meant: first the nearest words in place of those
 * that are not known, then all words within the edits allowed.
 *
 * @returns undefined when the text has no letter or digit, which asks for nothing in particular.
 */
export async function matchText(
  queryable: Queryable,
  words: () => Promise<WordList>,
  text: string,
  { table, names }: TextTable,
): Promise<TextMatch | undefined> {
  const chunks = textQuery(text);
  if (chunks.length === 0) return undefined;
  const key = textKey(text);
  const typed = { pattern: patternOf(chunks, asTyped), key };
  const isNamed = async (match: TextMatch) => {
    const statement = `select number from ${table} where ${names} @@ $1::tsquery limit 1`;
    return (await queryable.readOne(statement, [weighted(match, "ABC")])) !== undefined;
  };
  const typedWords = chunks.flatMap(({ alternatives }) => alternatives.flat());
  if (!typedWords.some(mayBeCorrected) || (await isNamed(typed))) return typed;
  const corrections = new QueryCorrections(await words());
  await corrections.lookUp(typedWords, { isKnownToo: false });
  const nearest = { pattern: patternOf(chunks, (word) => corrections.nearest(word)), key };
  if (nearest.pattern !== typed.pattern && (await isNamed(nearest))) return nearest;
  await corrections.lookUp(typedWords, { isKnownToo: true });
  return { pattern: patternOf(chunks, (word) => corrections.all(word)), key };
}

/** A `tsquery` for what has all words as they are. */
export function patternAsTyped(chunks: readonly QueryChunk[]): string {
  return weighted({ pattern: patternOf(chunks, asTyped) }, "");
}

function patternOf(
  chunks: readonly QueryChunk[],
  corrections: (word: QueryWord) => readonly Correction[],
): string {
  const variants = (word: QueryWord) => [
    lexeme(word.word, word.isPrefix),
    ...corrections(word).map((correction) => lexeme(correction.word, false)),
  ];
  return chunks
    .map(({ alternatives }) => {
      const joined = alternatives.map((words) =>
        words.map((word) => `(${variants(word).join(" | ")})`).join(" & "),
      );
      return `(${joined.map((alternative) => `(${alternative})`).join(" | ")})`;
    })
    .join(" & ");
}

function asTyped(): readonly Correction[] {
  return [];
}

/** Words are letters and digits only, so that nothing needs escaping. */
function lexeme(word: string, isPrefix: boolean): string {
  return `'${word}'${isPrefix ? "%p" : "%w"}`;
}
