import { seededRandom } from "@storefront/testkit";
import type { Random } from "@storefront/testkit";

/** A small seeded generator of numbers. */
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

  pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new RangeError("there is nothing to pick from");
    return values[this.below(values.length)] as Value;
  }

  /** Up to so many of the values, each once. */
  some<Value>(values: readonly Value[], most: number): Value[] {
    const count = Math.min(this.below(most + 1), values.length);
    return [...new Set(Array.from({ length: count }, () => this.pick(values)))];
  }
}
