import { describe, expect, it } from "vitest";
import { mayBeCorrected } from "../domain/query-corrections.ts";
import { textQuery } from "../domain/text-query.ts";
import { firstSearch } from "../indexing/index-once-caught-up.ts";
import type { OfferSearch } from "./offer-search.ts";

describe("the first search", () => {
  it("runs once for all callers, and again after a failure", async () => {
    const searches: OfferSearch[] = [];
    const ask = firstSearch({
      searchOffers: (search) => {
        searches.push(search);
        return searches.length === 1
          ? Promise.reject(new Error("the engine is unavailable"))
          : Promise.resolve();
      },
    });
    await expect(ask()).rejects.toThrow("the engine is unavailable");
    await Promise.all([ask(), ask()]);
    await ask();
    const texts = searches.map(({ filter }) => typeof filter.text);
    expect(texts).toEqual(["undefined", "undefined", "string"]);
  });

  it("searches a text too short for corrections", async () => {
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
