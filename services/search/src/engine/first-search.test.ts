import { describe, expect, it } from "vitest";
import { mayBeCorrected } from "../domain/query-corrections.ts";
import { textQuery } from "../domain/text-query.ts";
import { firstSearch } from "../indexing/index-once-caught-up.ts";
import type { OfferSearch } from "./offer-search.ts";

describe("the first search", () => {
  it("is made once, for all who ask, and again when it has failed", async () => {
    const searches: OfferSearch[] = [];
    const ask = firstSearch({
      searchOffers: (search) => {
        searches.push(search);
        return searches.length === 1
          ? Promise.reject(new Error("the engine is away"))
          : Promise.resolve();
      },
    });
    await expect(ask()).rejects.toThrow("the engine is away");
    await Promise.all([ask(), ask()]);
    await ask();
    const texts = searches.map(({ filter }) => typeof filter.text);
    expect(texts).toEqual(["undefined", "undefined", "string"]);
  });

  it("asks for no text that misspellings are looked for of", async () => {
    const texts: (string | undefined)[] = [];
    await firstSearch({
      searchOffers: async ({ filter }) => texts.push(filter.text),
    })();
    const [, text = ""] = texts;
    const words = textQuery(text).flatMap(({ alternatives }) => alternatives.flat());
    expect(words).toHaveLength(1);
    expect(words.some(mayBeCorrected)).toBe(false);
  });
});
