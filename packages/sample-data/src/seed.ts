/** 64 bits of seed in two 32-bit integers. */
export interface Seed {
  readonly a: number;
  readonly b: number;
}

/** What every part of a catalogue is derived from, together with its own number. */
export interface Source {
  readonly seed: Seed;
  /** The moment at which the catalogue is current, in ms since 1970. */
  readonly nowMs: number;
}

/** MurmurHash3's 32-bit finalizer (Austin Appleby, public domain): a bijection on 32-bit integers. */
export function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A seed from a number or a text; the number 7 and the text "7" give the same. */
export function createSeed(seed: number | string): Seed {
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  for (const character of String(seed)) {
    const code = character.codePointAt(0) ?? 0;
    a = mix(a ^ code);
    b = mix(Math.imul(b, 31) + code);
  }
  return { a, b };
}

/**
 * Independent series of random numbers and identifiers, one per use, so that a change in one part
 * of the generator leaves the others as they were.
 */
const streams = {
  game: 1,
  slots: 2,
  sandbox: 3,
  offer: 4,
  offerText: 5,
  item: 6,
  app: 7,
  asset: 8,
  build: 9,
  details: 10,
  ageRating: 11,
  ranking: 12,
  price: 13,
  sale: 14,
  giveaway: 15,
  review: 16,
  player: 17,
  studio: 18,
  publisher: 19,
  image: 20,
  manifest: 21,
  releaseInfo: 22,
  presentSale: 23,
  pastSale: 24,
  pricePast: 25,
  offerPast: 26,
  recordPast: 27,
} as const;

export type Stream = keyof typeof streams;

/** The two keys of a stream under a seed. */
export function streamKeys(seed: Seed, stream: Stream): Seed {
  const number = streams[stream];
  return { a: mix(seed.a + Math.imul(number, 0x9e3779b9)), b: mix(seed.b ^ (number << 20)) };
}
