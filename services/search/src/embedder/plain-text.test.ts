import { expect, it } from "vitest";
import { plainText } from "./embedder.ts";

const nothing = {
  offerId: "o",
  title: "",
  description: "",
  tags: [],
  developer: "",
  publisher: "",
};

it("joins the non-empty parts, with each maker once", () => {
  const made = { developer: "Ice Fern", publisher: "Ice Fern" };
  expect(plainText({ ...nothing, ...made, title: "Moon", tags: ["RPG", "Indie"] })).toBe(
    "Moon\nRPG, Indie\nIce Fern",
  );
  expect(plainText(nothing)).toBe("o");
});

it.each(["x", "é", "原", "🌊"])(
  "cuts a text of %j to at most 8,000 bytes without splitting a letter",
  (letter) => {
    const text = plainText({ ...nothing, title: `-${letter.repeat(9_000)}` });
    const bytes = Buffer.byteLength(text);
    expect(bytes).toBeLessThanOrEqual(8_000);
    expect(bytes).toBeGreaterThan(8_000 - 4);
    expect(new Set(text.slice(1).match(/./gsu))).toEqual(new Set([letter]));
  },
);
