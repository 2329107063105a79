import { expect, it } from "vitest";
import type { QueryWord } from "./text-query.ts";
import { maxEdits, WordList } from "./word-list.ts";

it("returns the corrections of a comparison with each word, in the same order", () => {
  const words = [...new Set(Array.from({ length: 900 }, (_, n) => wordOf(n, "abc배я")))];
  const list = new WordList();
  list.add(words.slice(0, 600));
  list.add(words.slice(300));
  const differences = Array.from({ length: 100 }, (_, n): QueryWord => {
    const word = n % 3 === 0 ? (words[n] ?? "") : wordOf(n + 10_000, n % 2 === 0 ? "abc" : "ab배я");
    return { word, isPrefix: n % 5 < 2, isCorrectable: true };
  }).filter((typed) => {
    expect(list.has(typed)).toBe(
      words.some((word) => (typed.isPrefix ? word.startsWith(typed.word) : word === typed.word)),
    );
    return JSON.stringify(list.corrections(typed)) !== JSON.stringify(compareWithAll(typed, words));
  });
  expect(differences).toEqual([]);
});

it.each([
  ["hadse", "hades", 1],
  ["hads", "hades", 1],
  ["haades", "hades", 1],
  ["habes", "hades", 1],
  ["bordelran", "borderland", 2],
])("corrects %j to %j by %i edits", (word, known, edits) => {
  const list = new WordList();
  list.add([known]);
  const corrections = list.corrections({ word, isPrefix: false, isCorrectable: true });
  expect(corrections).toEqual([{ word: known, edits }]);
});

/** Three to twelve letters, deterministic by seed. */
function wordOf(seed: number, letters: string): string {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: 3 + next(10) }, () => letters[next(letters.length)] ?? "").join("");
}

/** Reference implementation of corrections. */
function compareWithAll({ word: typed, isPrefix }: QueryWord, words: readonly string[]) {
  const limit = maxEdits(typed);
  if (limit === 0) return [];
  return words
    .map((word) => {
      const toPrefixes = distances(typed, word);
      const whole = toPrefixes.at(-1) ?? Infinity;
      const prefix = Math.min(...toPrefixes);
      return { word, isWhole: whole <= limit, edits: isPrefix && whole > limit ? prefix : whole };
    })
    .filter(({ edits }) => edits > 0 && edits <= limit)
    .toSorted(
      (a, b) =>
        a.edits - b.edits ||
        Number(b.isWhole) - Number(a.isWhole) ||
        a.word.length - b.word.length ||
        (a.word < b.word ? -1 : 1),
    )
    .slice(0, 50)
    .map(({ word, edits }) => ({ word, edits }));
}

/** Damerau-Levenshtein distances from one word to each prefix of another. */
function distances(a: string, b: string): number[] {
  const rows: number[][] = [];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 0; row <= a.length; row++) {
    rows.push([]);
    for (let column = 0; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      rows[row]?.push(
        row === 0 || column === 0
          ? row + column
          : Math.min(
              at(row - 1, column) + 1,
              at(row, column - 1) + 1,
              at(row - 1, column - 1) + (isSame ? 0 : 1),
              row > 1 && column > 1 && isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
            ),
      );
    }
  }
  return rows[a.length] ?? [];
}
