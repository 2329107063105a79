import { asLocale } from "@storefront/domain/identifiers";
import { expect, it } from "vitest";
import { feedLinksOf } from "./free-games-page.tsx";

it("links the feeds of the page, the calendar both to subscribe and to download", () => {
  const links = feedLinksOf("ios", asLocale("de-DE"), "shop.example:8443");
  expect(links.map(({ href }) => href)).toEqual([
    "webcal://shop.example:8443/free-games/feed.ics?platform=ios&locale=de-DE",
    "/free-games/feed.ics?platform=ios&locale=de-DE",
    "/free-games/feed.atom?platform=ios&locale=de-DE",
    "/free-games/feed.json?platform=ios&locale=de-DE",
  ]);
  const [, all] = feedLinksOf(undefined, asLocale("en-US"), "shop.example");
  expect(all?.href).toBe("/free-games/feed.ics?locale=en-US");
});
