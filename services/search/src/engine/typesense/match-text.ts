import type { Client } from "typesense";
import { matchText } from "../text-match.ts";
import type { TextMatch, WantedChunk, WantedWord } from "../text-match.ts";
import type { Collections } from "./collections.ts";
import { allConditions, fulfils, hasAll } from "./filter-by.ts";
import type { TokenClauses } from "./filter-by.ts";
import type { KnownWords } from "./known-words.ts";
import { anyOffer } from "./offer-conditions.ts";
import { maxTitleStart } from "./offer-fields.ts";
import { searchCollections } from "./search-collections.ts";
import { prefixToken, startToken, valueToken, wordToken } from "./tokens.ts";

/** How a text finds offers, and which first. */
export interface TextConditions {
  readonly conditions: readonly string[];
  /** For `sort_by`, without its direction. */
  readonly relevance: string;
}

/** As {@link matchText} says, with the words on the server. */
export async function textConditions(
  { client, words }: { client: Client; words: KnownWords },
  collections: Collections,
  text: string,
): Promise<TextConditions | undefined> {
  const isNamed = async ({ chunks }: TextMatch) => {
    const named = fulfils("tagged_words", clausesOf(chunks));
    const filter_by = allConditions([anyOffer, ...named]);
    const search = { collection: collections.offers, q: "*", filter_by, limit: 0 };
    const [{ found }] = await searchCollections(client, [search]);
    return found > 0;
  };
  const match = await matchText(text, (typed) => words.near(collections.words, typed), isNamed);
  return match && conditionsOf(match);
}

/** Either of a chunk's alternatives is there when, of every choice of a word from each, one is. */
export function clausesOf(
  chunks: readonly WantedChunk[],
  tokenOf: (wanted: WantedWord) => string = begunToken,
): TokenClauses {
  return chunks.flatMap((alternatives) =>
    alternatives.reduce<string[][]>(
      (clauses, words) =>
        clauses.flatMap((tokens) =>
          words.map((spellings) => [...tokens, ...spellings.map(tokenOf)]),
        ),
      [[]],
    ),
  );
}

function begunToken({ word, isPrefix }: WantedWord): string {
  return isPrefix ? prefixToken(word) : wordToken(word);
}

/**
 * Exact title; all words in the title, whole; all in the title, the last one begun; then with developer
 * and publisher, with tags, with the description. With all words in the title, base games come first, and
 * before others titles that begin so.
 */
function conditionsOf({ chunks, key }: TextMatch): TextConditions {
  const begun = clausesOf(chunks);
  const whole = clausesOf(chunks, ({ word }) => wordToken(word));
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
