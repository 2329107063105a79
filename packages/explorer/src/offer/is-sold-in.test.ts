import { describe, expect, it } from "vitest";
import { asCountry } from "@storefront/domain/identifiers";
import { isSoldIn, isSoldInRegion } from "./is-sold-in.ts";

it.each([
  { blacklist: [], whitelist: [], isSold: true },
  { blacklist: ["DE"], whitelist: [], isSold: false },
  { blacklist: ["de"], whitelist: [], isSold: false },
  { blacklist: ["FR"], whitelist: [], isSold: true },
  { blacklist: [], whitelist: ["US", "de"], isSold: true },
  { blacklist: [], whitelist: ["US"], isSold: false },
  { blacklist: ["DE"], whitelist: ["DE"], isSold: false },
])("sells in DE with blacklist $blacklist and whitelist $whitelist: $isSold", (offer) => {
  const { blacklist, whitelist, isSold } = offer;
  const lists = { countriesBlacklist: blacklist, countriesWhitelist: whitelist };
  expect(isSoldIn(lists, asCountry("DE"))).toBe(isSold);
});

describe("a region", () => {
  const euro = { countries: ["AD", "AT", "DE", "FR"] };

  const offer = (countriesWhitelist: string[], countriesBlacklist: string[] = []) => ({
    countriesWhitelist,
    countriesBlacklist,
  });

  it("of the chosen country has the offer if that country has it", () => {
    expect(isSoldInRegion(euro, offer([]), asCountry("FR"))).toBe(true);
    expect(isSoldInRegion(euro, offer([], ["FR"]), asCountry("FR"))).toBe(false);
  });

  it("without the chosen country has the offer if any of its countries has it", () => {
    expect(isSoldInRegion(euro, offer(["US", "CA", "GB", "DE"]), asCountry("US"))).toBe(true);
    expect(isSoldInRegion(euro, offer([], ["ad"]), asCountry("US"))).toBe(true);
    expect(isSoldInRegion(euro, offer(["US"]), asCountry("US"))).toBe(false);
  });
});
