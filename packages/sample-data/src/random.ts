/** 64 bits of seed in two 32-bit integers. */
export interface Seed {
  readonly a: number;
  readonly b: number;
}

/** Source of every part of a catalogue, together with its own number. */
export interface Source {
  readonly seed: Seed;
  /** The time at which the catalogue is current, in ms since 1970. */
  readonly nowMs: number;
}

/** MurmurHash3's 32-bit finalizer (Austin Appleby, public domain): a bijection on 32-bit integers. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A seed from a number or a text; the number 7 and the text "7" are the same seed. */
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
 * Independent series of random numbers and identifiers, one per use, so that a change in one part of the
 * generator does not change the others.
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

type Stream = keyof typeof streams;

/** The two keys of a stream under a seed. */
function streamKeys(seed: Seed, stream: Stream): Seed {
  const number = streams[stream];
  return { a: mix(seed.a + Math.imul(number, 0x9e3779b9)), b: mix(seed.b ^ (number << 20)) };
}

/**
 * A counter-based generator of pseudo-random numbers: the n-th number is a hash of the seed, the
 * stream, the subject's number and n. Good enough for plausible data, not for secrets.
 */
export class Random {
  readonly #a: number;
  readonly #b: number;
  #counter = 0;

  constructor(seed: Seed, stream: Stream, number: number) {
    const keys = streamKeys(seed, stream);
    this.#a = mix(keys.a ^ number);
    this.#b = mix(keys.b + number);
  }

  /** A number from 0 up to, not including, 1. */
  unit(): number {
    this.#counter = (this.#counter + 0x9e3779b9) | 0;
    return (mix(mix(this.#counter ^ this.#a) + this.#b) >>> 0) / 0x1_0000_0000;
  }

  /** An integer from `from` to `to`, both included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1));
  }

  /** True in this share of cases, from 0 to 1. */
  chance(share: number): boolean {
    return this.unit() < share;
  }

  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return at(list, this.integer(0, list.length - 1));
  }

  /** One element of a list that is not empty, early ones more often than late ones. */
  pickEarly<T>(list: readonly T[]): T {
    return at(list, Math.floor(this.unit() ** 2 * list.length));
  }

  /** That many different elements of a list, in the list's order from a random start. */
  pickMany<T>(list: readonly T[], count: number): T[] {
    const start = this.integer(0, list.length - 1);
    return Array.from({ length: Math.min(count, list.length) }, (_, n) =>
      at(list, (start + n) % list.length),
    );
  }
}

/**
 * The element at an index.
 * @throws RangeError when the list has none there.
 */
export function at<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`No element ${index} of ${list.length}`);
  return element;
}

/** Numbers of one kind that fit into a sandbox: 2^12, which leaves room for 2^20 sandboxes. */
const numbersPerSandbox = 4096;

/** The number of a sandbox's n-th record of a kind, unique over the whole catalogue. */
export function numberIn(sandboxIndex: number, n: number): number {
  return sandboxIndex * numbersPerSandbox + n;
}

/**
 * An identifier of 8 to 40 hexadecimal characters. The first 8 are a bijection of the number, so
 * identifiers of one stream never collide below 2^32.
 */
export function identifier(seed: Seed, stream: Stream, number: number, length = 32): string {
  const keys = streamKeys(seed, stream);
  let word = mix(number ^ keys.a);
  let text = hexadecimal(word);
  for (let key = keys.b; text.length < length; key = mix(key + 1)) {
    word = mix(word ^ key);
    text += hexadecimal(word);
  }
  return text.slice(0, length);
}

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
