import { expect, it } from "vitest";
import { WordNumbers } from "./word-numbers.ts";

it("numbers each word once, and finds it in full and by each prefix", () => {
  const words = new WordNumbers();
  const letters = ["a", "b", "é", "原", "𠮷"];
  const known = Array.from({ length: 5_000 }, (_, n) =>
    Array.from({ length: 1 + (n % 6) }, (__, at) => letters[(n >> at) % letters.length]).join(""),
  );
  const numbers = new Map<string, number>();
  for (const word of known) {
    const number = words.add(`<${word}>`, 1, word.length + 1);
    expect(numbers.get(word) ?? number).toBe(number);
    numbers.set(word, number);
  }
  expect(words.count).toBe(numbers.size);
  expect([...numbers.values()]).toEqual(Array.from(numbers, (_, at) => at + 1));
  for (const [word, number] of numbers) expect(words.numberOf(word)).toBe(number);
  expect(words.numberOf("abababababab")).toBe(0);
  for (const prefix of ["a", "é", "𠮷", "ab", "ba", "原b", "aba", "𠮷𠮷é", "zz", "abababababab"]) {
    const expected = [...numbers].flatMap(([word, number]) =>
      word.startsWith(prefix) ? [number] : [],
    );
    expect(words.beginningWith(prefix)).toEqual(expected);
  }
});
