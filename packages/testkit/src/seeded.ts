/** Numbers and choices that are the same for the same seed, by mulberry32. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** At least 0, below 1. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, a limit. */
  below(limit: number): number {
    return Math.floor(this.number() * limit);
  }

  chance(share: number): boolean {
    return this.number() < share;
  }

  /** @throws RangeError when there is nothing to pick from. */
  pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new RangeError("there is nothing to pick from");
    return values[this.below(values.length)] as Value;
  }

  /** At most so many of the values, each once. */
  some<Value>(values: readonly Value[], most: number, least = 0): Value[] {
    const count = Math.min(least + this.below(most - least + 1), values.length);
    return [...new Set(Array.from({ length: count }, () => this.pick(values)))];
  }
}
