/** A number that looks random, from 0 up to, and not, 1. */
export type Random = () => number;

/** Numbers that are the same for the same seed: mulberry32, small and good enough to choose by. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * One of some values.
 *
 * @throws RangeError when there are none.
 */
export function pick<Value>(values: readonly Value[], random: Random): Value {
  if (values.length === 0) throw new RangeError("there is nothing to pick from");
  return values[Math.floor(random() * values.length)] as Value;
}
