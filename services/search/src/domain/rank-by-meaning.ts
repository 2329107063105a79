import { isFunctionWord } from "./text-words.ts";
import { textQuery } from "./text-query.ts";

/** Nearest offers that are looked at. */
export const nearestCount = 200;
/** A word that more offers have at a place says nothing of them there; a response of Typesense has no more. */
export const maxHolders = 250;
/** Words of a text that are looked for: one search each, of which Typesense takes 50 at a time. */
const maxWords = 16;
/** A word that a larger share of offers has says nothing of what is meant. */
const maxCommonness = 0.1;
/** Fewer offers are not too many, however small the catalogue. */
const fewOffers = 3;

/**
 * Where a word stands, best first, and what that says of the offer, 0 to 1: a title or a maker is asked
 * for by name, while a description has the word by chance. Here and below measured by
 * test/search-quality, on its development queries.
 */
const placeWeights = { named: 1, tagged: 0.6, described: 0.2 } as const;
/** Where a word stands: in title, developer or publisher; in a tag; in the description. */
export type WordPlace = keyof typeof placeWeights;

/** The most that words add to a score of 1; the rest is by nearness. */
const wordsShare = 0.7;
/** Above 1: some of the asked words say less than their share, all of them as much as they can. */
const confidence = 1.5;

export interface NearOffer<Key> {
  readonly key: Key;
  /** Above 0. */
  readonly cosine: number;
}

/** What an index knows of a word. */
export interface WordHolders<Key> {
  /** How many offers have it. */
  readonly found: number;
  /** Those that have it, each once, with the best place where at most {@link maxHolders} have it. */
  readonly holders: Iterable<readonly [Key, WordPlace]>;
}

/** The words of a text but for function words, each once: those that tell what it asks for. */
export function contentWords(text: string): string[] {
  const words = textQuery(text).flatMap(({ alternatives }) => alternatives.flat());
  const content = words.map(({ word }) => word).filter((word) => !isFunctionWord(word));
  return [...new Set(content)].slice(0, maxWords);
}

/** The largest number of offers that may have a word that tells anything. */
export function maxFound(offerCount: number): number {
  return Math.max(Math.floor(offerCount * maxCommonness), fewOffers);
}

/** Whether a word that so many of the offers have says anything of what is meant. */
export function isTelling(found: number, offerCount: number): boolean {
  return found > 0 && found <= maxFound(offerCount);
}

/**
 * Joins nearness with words. Nearness counts from the last of {@link nearestCount} to the first, for
 * models differ in how far apart their vectors are. A word counts by its rarity and place, as its share
 * of all asked words that any offer has: a text that names an offer or a maker finds it, and words that
 * happen to stand in descriptions decide among what is near. Without such words nearness decides alone.
 *
 * @param near the nearest {@link nearestCount}, nearest first.
 * @returns scores from 0 to 1, in no order.
 */
export function rankByMeaning<Key>(
  near: readonly NearOffer<Key>[],
  words: readonly WordHolders<Key>[],
  offerCount: number,
): Map<Key, number> {
  const rarities = words.map(({ found }) =>
    isTelling(found, offerCount) ? Math.log(1 + offerCount / found) : 0,
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
