import { isFunctionWord } from "./text-words.ts";
import { textQuery } from "./text-query.ts";

/** Nearest offers that are ranked. */
export const nearestCount = 200;
/** A word that more offers have in a field does not distinguish them; a Typesense response has at most 250 hits. */
export const maxHolders = 250;
/** Words of a text that are searched, one search each; Typesense takes 50 at a time. */
const maxWords = 16;
/** A word in a larger share of offers does not distinguish them. */
const maxCommonness = 0.1;
/** Up to this count a word is never too common, however small the catalogue. */
const fewOffers = 3;

/**
 * Weights of the field with a word, best first, 0 to 1: titles and makers are searched by name, descriptions have words
 * by chance. These and the constants below were measured by test/search-quality on its development queries.
 */
const placeWeights = { named: 1, tagged: 0.6, described: 0.2 } as const;
/** `named`: title, developer or publisher; `tagged`: a tag; `described`: the description. */
export type WordPlace = keyof typeof placeWeights;

/** Share of words in a score of 1; the rest is nearness. */
const wordsShare = 0.7;
/** Above 1: some of the words weigh less than their share, all words together their full weight. */
const confidence = 1.5;

export interface NearOffer<Key> {
  readonly key: Key;
  /** Above 0. */
  readonly cosine: number;
}

/** Offers with a word. */
export interface WordHolders<Key> {
  /** Number of offers with the word. */
  readonly found: number;
  /** Each offer once, with its best field, where at most {@link maxHolders} have the word. */
  readonly holders: Iterable<readonly [Key, WordPlace]>;
}

/** The words of a text without function words and duplicates. */
export function contentWords(text: string): string[] {
  const words = textQuery(text).flatMap(({ alternatives }) => alternatives.flat());
  const content = words.map(({ word }) => word).filter((word) => !isFunctionWord(word));
  return [...new Set(content)].slice(0, maxWords);
}

/** Maximum number of offers with a distinguishing word. */
export function maxFound(offerCount: number): number {
  return Math.max(Math.floor(offerCount * maxCommonness), fewOffers);
}

/** Whether a word in this many offers distinguishes them. */
export function isDistinctive(found: number, offerCount: number): boolean {
  return found > 0 && found <= maxFound(offerCount);
}

/**
 * Combines nearness with words. Nearness is scaled from the last of {@link nearestCount} to the first, since
 * the distances of vectors differ between models. A word weighs by rarity and field, as its share of all
 * query words that any offer has: a text that names an offer or maker finds it, and words of descriptions
 * decide between near offers. Without such words only nearness counts.
 *
 * @param near the nearest {@link nearestCount}, nearest first
 * @returns scores from 0 to 1, unordered
 */
export function rankByMeaning<Key>(
  near: readonly NearOffer<Key>[],
  words: readonly WordHolders<Key>[],
  offerCount: number,
): Map<Key, number> {
  const rarities = words.map(({ found }) =>
    isDistinctive(found, offerCount) ? Math.log(1 + offerCount / found) : 0,
  );
  const allRarity = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const shares = new Map<Key, number>();
  for (const [at, { holders }] of words.entries()) {
    const share = (rarities[at] ?? 0) / allRarity;
    if (!(share > 0)) continue;
    for (const [key, place] of holders) {
      shares.set(key, (shares.get(key) ?? 0) + share * placeWeights[place]);
    }
  }
  const scores = new Map<Key, number>();
  for (const [key, share] of shares) scores.set(key, wordsShare * Math.min(share, 1) ** confidence);

  const nearest = near[0]?.cosine ?? 0;
  const floor = near.length < nearestCount ? 0 : (near.at(-1)?.cosine ?? 0);
  for (const { key, cosine } of near) {
    const nearness = nearest > floor ? (cosine - floor) / (nearest - floor) : 1;
    scores.set(key, (scores.get(key) ?? 0) + (1 - wordsShare) * nearness);
  }
  return scores;
}
