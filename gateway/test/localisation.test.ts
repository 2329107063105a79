import { expect, test } from "vitest";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

test("a text overlays exactly the eleven members", async () => {
  const canonical = (await stack().ask("/offers/full")).json as Record<string, unknown>;
  const localized = (await stack().ask("/offers/full?locale=de-DE")).json as Record<
    string,
    unknown
  >;
  const changed = Object.keys(localized).filter(
    (member) => JSON.stringify(localized[member]) !== JSON.stringify(canonical[member]),
  );
  expect(changed.toSorted()).toEqual(
    [
      "canonicalLocale",
      "description",
      "developerDisplayName",
      "locale",
      "localeStatus",
      "localization",
      "longDescription",
      "offerMappings",
      "productSlug",
      "publisherDisplayName",
      "seller",
      "tags",
      "title",
      "url",
      "urlSlug",
    ].toSorted(),
  );
  expect(localized).toMatchObject({
    locale: "de-DE",
    localeStatus: "localized",
    canonicalLocale: "en-US",
    localization: {
      source: "memory",
      fetchedAt: "2026-01-01T00:00:00.000Z",
      sourceUpdatedAt: "2025-01-01T00:00:00.000Z",
    },
  });
});

test("a null in a text overwrites, what a text lacks stays canonical", async () => {
  const { json } = await stack().ask("/offers/full?locale=FR-fr");
  expect(json).toMatchObject({
    locale: "fr-FR",
    title: "Plein",
    description: null,
    offerMappings: [],
    seller: null,
    tags: [],
    url: null,
    developerDisplayName: "Dev",
    localization: { source: null, fetchedAt: null },
  });
  expect(json).not.toHaveProperty("localization.sourceUpdatedAt");
});

test("a locale without a text falls back and borrows from no other", async () => {
  const { json } = await stack().ask("/offers/full?locale=de-AT");
  expect(json).toMatchObject({ locale: "de-AT", localeStatus: "fallback", title: "Full" });
  expect(json).not.toHaveProperty("localization");
});

test.for([
  ["en-us", "en-US"],
  ["%20de-de%20", "de-DE"],
  ["zh-hant-tw", "zh-Hant-TW"],
  ["iw", "he"],
  ["", "en-US"],
  ["%20", "en-US"],
])("locale %s is answered as %s", async ([sent, answered]) => {
  const { json } = await stack().ask(`/offers/bare?locale=${sent}`);
  expect(json).toHaveProperty("locale", answered);
});

test.for([
  "d",
  "german",
  "de_DE",
  "de-",
  "de-D",
  "de-DE-toolongsubtag",
  "de-DE-DE",
  "1e-US",
  "de;q=1",
])("locale %s is refused", async (locale) => {
  const { status, json } = await stack().ask(`/offers/full?locale=${locale}`);
  expect(status).toBe(400);
  expect(json).toHaveProperty("error", "INVALID_ARGUMENT");
});
