/** Choices that look like chance and are always the same for the same text. */
export interface Dice {
  /** A whole number from `least` to `most`. */
  from: (least: number, most: number) => number;
  pick: <Value>(values: readonly [Value, ...Value[]] | readonly Value[]) => Value;
}

/** Makes dice from a text: mulberry32 seeded by FNV-1a. */
export function createDice(text: string): Dice {
  let state = 0x811c9dc5;
  for (const character of text) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    from: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick(values) {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error("nothing to pick from");
      return value;
    },
  };
}
