import { expect, it } from "vitest";
import { pricedCountryOf } from "./priced-country.ts";

const euro = { countries: ["AD", "AT", "DE", "FR"] };

const offer = (countriesWhitelist: string[], countriesBlacklist: string[] = []) => ({
  countriesWhitelist,
  countriesBlacklist,
});

it("is the chosen one in its own region", () => {
  expect(pricedCountryOf(euro, offer([]), "FR")).toBe("FR");
});

it("is none in the own region when the offer is not sold in the chosen one", () => {
  expect(pricedCountryOf(euro, offer([], ["FR"]), "FR")).toBeUndefined();
});

it("is the first one of another region that the offer is sold in", () => {
  expect(pricedCountryOf(euro, offer([]), "US")).toBe("AD");
  expect(pricedCountryOf(euro, offer(["US", "CA", "GB", "DE", "JP"]), "US")).toBe("DE");
  expect(pricedCountryOf(euro, offer([], ["ad"]), "US")).toBe("AT");
});

it("is none where the offer is sold nowhere in the region", () => {
  expect(pricedCountryOf(euro, offer(["US"]), "US")).toBeUndefined();
});
