import type { OfferText } from "../embedder.ts";
import { toUnitLength } from "../embedder.ts";
import { offerTerms } from "./text-terms.ts";

/** Limit of terms, most frequent first; training's memory and time grow with it. */
const maxTerms = 20_000;
/** A term of a single offer relates it to no other. */
const minOffers = 2;

/** Offers by terms: rows of a sparse matrix, each of unit length. */
export interface Corpus {
  readonly terms: readonly string[];
  /** Inverse frequency of each term: `ln(offers / offers with it)`. */
  readonly rarity: Float32Array;
  /** Start of each offer's entries; one more at the end. */
  readonly starts: Uint32Array;
  /** Entries: number of the term, and its weight in the offer. */
  readonly termNumbers: Uint32Array;
  readonly weights: Float32Array;
}

/** Counts the terms of every offer. */
export async function readCorpus(offers: AsyncIterable<OfferText>): Promise<Corpus> {
  const numberOf = new Map<string, number>();
  const offersWith: number[] = [];
  const rows: { numbers: Uint32Array; counts: Float32Array }[] = [];
  for await (const offer of offers) {
    const terms = offerTerms(offer);
    const numbers = new Uint32Array(terms.size);
    let at = 0;
    for (const term of terms.keys()) {
      let number = numberOf.get(term);
      if (number === undefined) {
        number = numberOf.size;
        numberOf.set(term, number);
      }
      offersWith[number] = (offersWith[number] ?? 0) + 1;
      numbers[at++] = number;
    }
    rows.push({ numbers, counts: Float32Array.from(terms.values()) });
  }
  const known = [...numberOf]
    .map(([term, number]) => ({ term, number, offers: offersWith[number] ?? 0 }))
    .filter((term) => term.offers >= minOffers)
    .toSorted((a, b) => b.offers - a.offers || (a.term < b.term ? -1 : 1))
    .slice(0, maxTerms);
  const newNumber = new Int32Array(numberOf.size).fill(-1);
  for (const [index, { number }] of known.entries()) newNumber[number] = index;
  const rarity = Float32Array.from(known, (term) => Math.log(rows.length / term.offers));

  const size = rows.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const starts = new Uint32Array(rows.length + 1);
  const termNumbers = new Uint32Array(size);
  const weights = new Float32Array(size);
  let end = 0;
  for (const [row, { numbers, counts }] of rows.entries()) {
    const start = end;
    for (const [index, number] of numbers.entries()) {
      const term = newNumber[number] ?? -1;
      if (term < 0) continue;
      termNumbers[end] = term;
      weights[end] = termWeight(counts[index] ?? 0, rarity[term] ?? 0);
      end += 1;
    }
    toUnitLength(weights.subarray(start, end));
    starts[row + 1] = end;
  }
  return {
    terms: known.map(({ term }) => term),
    rarity,
    starts,
    termNumbers: termNumbers.slice(0, end),
    weights: weights.slice(0, end),
  };
}

/**
 * Weight of a term in a text. Exceeds its rarity, since where most offers lack a description, ordinary words are not
 * frequent enough to have a low weight.
 */
export function termWeight(count: number, rarity: number): number {
  return Math.log1p(count) * rarity ** 1.5;
}
