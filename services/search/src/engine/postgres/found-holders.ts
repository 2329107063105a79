import type { WordHolders } from "../../domain/rank-by-meaning.ts";

/** Words that are asked for. */
export interface AskedWords {
  readonly words: readonly string[];
  /** Numbers of the offers that are looked at; undefined looks at all. */
  readonly among: Int32Array | undefined;
}

/** Which offers have words. */
export interface FoundHolders {
  /** How many are looked at. */
  readonly offerCount: number;
  /** One for each word, in their order. */
  readonly holders: readonly WordHolders<number>[];
}
