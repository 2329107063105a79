import { mayBeCorrected, QueryCorrections } from "../../domain/query-corrections.ts";
import { textQuery } from "../../domain/text-query.ts";
import type { QueryChunk, QueryWord } from "../../domain/text-query.ts";
import { textKey } from "../../domain/text-words.ts";
import type { Correction } from "../../domain/word-list.ts";
import type { Client } from "typesense";
import type { collectionsOf } from "./collections.ts";
import { allConditions, fulfils, hasAll } from "./filter-by.ts";
import type { TokenClauses } from "./filter-by.ts";
import type { KnownWords } from "./known-words.ts";
import { maxTitleStart } from "./offer-fields.ts";
import { searchCollections } from "./search-collections.ts";
import { prefixToken, startToken, valueToken, wordToken } from "./tokens.ts";

/** How a text finds offers, and which first. */
export interface TextMatch {
  readonly conditions: readonly string[];
  /** For `sort_by`, without its direction. */
  readonly relevance: string;
}

/**
 * How to find what a text asks for. As typed, if any offer has all words in its title, developer,
 * publisher or tags; otherwise with what may have been meant: first the nearest words in place of those
 * that are not known, then all words within the edits allowed.
 *
 * @returns undefined when the text has no letter or digit, which asks for nothing in particular.
 */
export async function matchText(
  { client, words }: { client: Client; words: KnownWords },
  collections: ReturnType<typeof collectionsOf>,
  text: string,
): Promise<TextMatch | undefined> {
  const chunks = textQuery(text);
  if (chunks.length === 0) return undefined;
  const key = textKey(text);
  const typed = textClauses(chunks, () => []);
  const isNamed = async ({ begun }: TextClauses) => {
    const filter_by = allConditions(["is_offer:true", ...fulfils("tagged_words", begun)]);
    const search = { collection: collections.offers, q: "*", filter_by, limit: 0 };
    const [{ found }] = await searchCollections(client, [search]);
    return found > 0;
  };
  const typedWords = chunks.flatMap(({ alternatives }) => alternatives.flat());
  if (!typedWords.some(mayBeCorrected) || (await isNamed(typed))) return textMatch(typed, key);
  const corrections = new QueryCorrections(await words.near(collections.words, typedWords));
  await corrections.lookUp(typedWords, { isKnownToo: false });
  const nearest = textClauses(chunks, (word) => corrections.nearest(word));
  if (await isNamed(nearest)) return textMatch(nearest, key);
  await corrections.lookUp(typedWords, { isKnownToo: true });
  return textMatch(
    textClauses(chunks, (word) => corrections.all(word)),
    key,
  );
}

/** What must be there for a text, and for its words not to be beginnings only. */
interface TextClauses {
  readonly begun: TokenClauses;
  readonly whole: TokenClauses;
}

function textClauses(
  chunks: readonly QueryChunk[],
  corrections: (word: QueryWord) => readonly Correction[],
): TextClauses {
  const corrected = (word: QueryWord) => corrections(word).map((each) => wordToken(each.word));
  return {
    begun: clausesOf(chunks, (word) => [typedToken(word), ...corrected(word)]),
    whole: clausesOf(chunks, (word) => [wordToken(word.word), ...corrected(word)]),
  };
}

function typedToken({ word, isPrefix }: QueryWord): string {
  return isPrefix ? prefixToken(word) : wordToken(word);
}

/** What must be there for all words as they are. */
export function clausesAsTyped(chunks: readonly QueryChunk[]): TokenClauses {
  return clausesOf(chunks, (word) => [typedToken(word)]);
}

/** Either of a chunk's alternatives is there when, of every choice of a word from each, one is. */
function clausesOf(
  chunks: readonly QueryChunk[],
  tokensOf: (word: QueryWord) => readonly string[],
): TokenClauses {
  return chunks.flatMap(({ alternatives }) =>
    alternatives.reduce<string[][]>(
      (clauses, words) =>
        clauses.flatMap((tokens) => words.map((word) => [...tokens, ...tokensOf(word)])),
      [[]],
    ),
  );
}

/**
 * Exact title; all words in the title, whole; all in the title, the last one begun; then with developer
 * and publisher, with tags, with the description. With all words in the title, base games come first, and
 * before others titles that begin so.
 */
function textMatch({ begun, whole }: TextClauses, key: string): TextMatch {
  const start = Array.from(key).slice(0, maxTitleStart).join("");
  const starts = hasAll("title_starts", [startToken(start)]);
  const inTitle = (clauses: TokenClauses) => {
    const words = fulfils("title_words", clauses);
    return [[...words, baseGame, starts], [...words, baseGame], [...words, starts], words];
  };
  const tiers = [
    [hasAll("title_key", [valueToken("title", key)])],
    ...inTitle(whole),
    ...inTitle(begun),
    ...["named_words", "tagged_words"].map((field) => fulfils(field, begun)),
  ].map((conditions) => conditions.join(" && "));
  const scored = tiers.map((condition, index) => `(${condition}):${tiers.length + 1 - index}`);
  return {
    conditions: fulfils("all_words", begun),
    relevance: `_eval([${scored.join(",")}])`,
  };
}

const baseGame = hasAll("terms", [valueToken("type", "BASE_GAME")]);
