import { mix, streamKeys } from "./seed.ts";
import type { Seed, Stream } from "./seed.ts";

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
