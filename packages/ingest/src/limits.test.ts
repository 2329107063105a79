import { describe, expect, it } from "vitest";
import { atMostElements, between, identifier, rules } from "./limits.ts";

describe("limits are inclusive", () => {
  it("identifiers have 1 to 256 characters, counted as code points", () => {
    expect(identifier("")).toBeDefined();
    expect(identifier("x")).toBeUndefined();
    expect(identifier("x".repeat(256))).toBeUndefined();
    expect(identifier("x".repeat(257))).toBeDefined();
    expect(identifier("😀".repeat(256))).toBeUndefined();
    expect(identifier("😀".repeat(257))).toBeDefined();
  });

  it("identifiers have no control characters", () => {
    for (const character of ["\0", "\n", "\u007f", "\u0085"]) {
      expect(identifier(`a${character}b`)).toBeDefined();
    }
    expect(identifier("a b/ü\u202e")).toBeUndefined();
  });

  it("titles have at most 512 code points and may be empty", () => {
    expect(rules.title("")).toBeUndefined();
    expect(rules.title("😀".repeat(512))).toBeUndefined();
    expect(rules.title("x".repeat(513))).toBeDefined();
    expect(rules.title(`${"😀".repeat(511)}xx`)).toBeDefined();
  });

  it("lists and numbers", () => {
    expect(atMostElements(2)([1, 2])).toBeUndefined();
    expect(atMostElements(2)([1, 2, 3])).toBeDefined();
    expect(between(0, 10)(10n)).toBeUndefined();
    expect(between(0, 10)(-1)).toBeDefined();
    expect(between(0, 10)(11)).toBeDefined();
  });
});
