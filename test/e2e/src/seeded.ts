import { seededRandom } from "@storefront/testkit";
import type { Random } from "@storefront/testkit";

/** Numbers that look random and are the same for the same seed. */
export class Seeded {
  /** From 0 up to, not including, 1. */
  readonly next: Random;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** @throws Error when there is nothing to pick from. */
  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  }

  /** Up to so many of some values, none when there are none. */
  some<Value>(values: readonly Value[], most: number): Value[] {
    if (values.length === 0) return [];
    return Array.from({ length: 1 + this.below(most) }, () => this.pick(values));
  }
}
