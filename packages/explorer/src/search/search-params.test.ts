import { describe, expect, it } from "vitest";
import { asCountry, asLocale } from "@storefront/domain/identifiers";
import { parseQuery, stringifyQuery } from "../raw-params.ts";
import { countFilters, parseSearchParams, searchInputOf } from "./search-params.ts";
import type { SearchParams } from "./search-params.ts";

const settings = { country: asCountry("DE"), locale: asLocale("de-DE") };

describe("the URL of a search", () => {
  it("round-trips with any values", () => {
    const params = {
      q: "moon & tide?",
      type: ["BASE_GAME", "DLC"],
      tag: ["1,2", "3"],
      tech: ["C++"],
      developer: "Ünder; Söhne, Inc.",
      min: 500,
      sale: 1 as const,
      lowest: "days90" as const,
      sort: "priceAsc" as const,
      page: 3,
    };
    expect(parseSearchParams(parseQuery(stringifyQuery(params)))).toEqual(params);
  });

  it("is parsed without invalid values", () => {
    const query = "?page=0&min=-1&max=1.5&sort=drop+table&sale=yes&lowest=days7&q=+&tag=&unknown=1";
    expect(parseSearchParams(parseQuery(query))).toEqual({});
  });

  it("is compatible with the earlier form of the filter for lowest prices", () => {
    expect(parseSearchParams(parseQuery("?lowest=1"))).toEqual({ sale: 1, lowest: "ever" });
  });

  it("has a list for a single value, and each value once", () => {
    expect(parseSearchParams(parseQuery("?tag=1")).tag).toEqual(["1"]);
    expect(parseSearchParams(parseQuery("?tag=1&tag=1&tag=2")).tag).toEqual(["1", "2"]);
  });

  it("requests only its own filters", () => {
    const input = searchInputOf({ all: 1 }, settings);
    const defined = Object.entries(input).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(defined)).toEqual({ ...settings, lows: true, page: 1, limit: 24 });
  });

  it("requests games, unless it has words, types, or `all`", () => {
    const typesOf = (params: SearchParams) => searchInputOf(params, settings).offerType;
    expect(typesOf({ sale: 1 })).toEqual(["BASE_GAME"]);
    expect(typesOf({ q: "moon" })).toBeUndefined();
    expect(typesOf({ type: ["DLC"] })).toEqual(["DLC"]);
    expect(parseSearchParams(parseQuery("?all=1"))).toEqual({ all: 1 });
  });

  it("requests highlights only with words", () => {
    expect(searchInputOf({ q: "moon" }, settings).highlight).toBe(true);
    expect(searchInputOf({ sale: 1 }, settings).highlight).toBeUndefined();
  });

  it("requests prices only with a bound", () => {
    expect(searchInputOf({ max: 0 }, settings).price).toEqual({ min: undefined, max: 0 });
    expect(searchInputOf({ sale: 1 }, settings).price).toBeUndefined();
  });

  it("counts its filters, both bounds as one", () => {
    expect(countFilters({ q: "a", sort: "priceAsc", page: 2 })).toBe(0);
    expect(countFilters({ min: 1, max: 2, tag: ["a", "b"], sale: 1 })).toBe(4);
  });
});
