import { expect, it } from "vitest";
import { isSoldIn } from "./is-sold-in.ts";

it.each([
  { blacklist: [], whitelist: [], isSold: true },
  { blacklist: ["DE"], whitelist: [], isSold: false },
  { blacklist: ["de"], whitelist: [], isSold: false },
  { blacklist: ["FR"], whitelist: [], isSold: true },
  { blacklist: [], whitelist: ["US", "de"], isSold: true },
  { blacklist: [], whitelist: ["US"], isSold: false },
  { blacklist: ["DE"], whitelist: ["DE"], isSold: false },
])("sells in DE with $blacklist out and $whitelist in: $isSold", (offer) => {
  const { blacklist, whitelist, isSold } = offer;
  const lists = { countriesBlacklist: blacklist, countriesWhitelist: whitelist };
  expect(isSoldIn(lists, "DE")).toBe(isSold);
});
