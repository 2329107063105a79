import { expect, test } from "vitest";
import { bytesOf } from "./content-coding.ts";

const alphabets = ["plain", "é – ß", "長い", "🙂", "mixed é 長 🙂"];

test.each(alphabets)("a text of %s has the same bytes at any length", (alphabet) => {
  for (const length of [0, 1, 8191, 8192, 8193, 40_000]) {
    // Never cut inside a character, as JSON text never is.
    const text = alphabet
      .repeat(Math.ceil(length / alphabet.length))
      .slice(0, length)
      .toWellFormed();
    expect(bytesOf(text).equals(Buffer.from(text))).toBe(true);
  }
});

test("bytes are not copied", () => {
  const bytes = Buffer.from("{}");
  expect(bytesOf(bytes)).toBe(bytes);
});
