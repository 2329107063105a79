import { pick, seededRandom } from "./seeded-random.ts";
import type { Random } from "./seeded-random.ts";

/** A seeded generator of numbers and choices. */
export class Seeded {
  /** At least 0, below 1. */
  readonly number: Random;

  constructor(seed: number) {
    this.number = seededRandom(seed);
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
    return pick(values, this.number);
  }

  /** Up to so many of the values, each once; none when there are none. */
  some<Value>(values: readonly Value[], most: number, least = 0): Value[] {
    const count = Math.min(least + this.below(most - least + 1), values.length);
    return [...new Set(Array.from({ length: count }, () => this.pick(values)))];
  }
}
