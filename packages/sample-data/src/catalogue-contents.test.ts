import { regions } from "@storefront/domain/regions";
import { describe, expect, it } from "vitest";
import { generateCatalogue } from "./generate-catalogue.ts";
import type { Kind, Observation, ObservationOf } from "./generate-catalogue.ts";

/** The words of a text, separated by white space. */
const words = (text: string) => text.trim().split(/\s+/);

const now = new Date("2026-03-05T17:20:31.007Z");

function observe(offers: number, seed: number | string): Observation[] {
  return [...generateCatalogue({ offers, seed, now })];
}

function ofKind<K extends Kind>(
  observations: readonly Observation[],
  kind: K,
): ObservationOf<K>["record"][] {
  const isOfKind = (observation: { kind: Kind }): observation is ObservationOf<K> =>
    observation.kind === kind;
  const records: ObservationOf<K>["record"][] = [];
  for (const observation of observations)
    if (isOfKind(observation)) records.push(observation.record);
  return records;
}

describe.each(["alpha", 1, 2, 3])("a catalogue of 100 offers with the seed %s", (seed) => {
  const observations = observe(100, seed);
  const prices = ofKind(observations, "price");
  const offers = ofKind(observations, "offer");

  it("has every kind of record", () => {
    expect(new Set(observations.map(({ kind }) => kind))).toEqual(
      new Set(
        words(`
          sandbox offer offerText item asset build tag offerDetails ageRating ranking price
          giveaway review
        `),
      ),
    );
  });

  it("has prices in every region, in that region's currency, with and without a discount", () => {
    for (const { region, currencyCode } of regions) {
      const own = prices.filter((price) => price.region === region);
      expect(new Set(own.map(({ price }) => price.currencyCode))).toEqual(new Set([currencyCode]));
      expect(own.some(({ appliedRules }) => appliedRules.length > 0)).toBe(true);
      expect(own.some(({ appliedRules }) => appliedRules.length === 0)).toBe(true);
    }
  });

  it("has every type of offer, pre-purchases, a collection and earlier states", () => {
    expect(new Set(offers.map(({ offerType }) => offerType))).toEqual(
      new Set(
        words(`
          BASE_GAME DLC ADD_ON EDITION BUNDLE DIGITAL_EXTRA DEMO CONSUMABLE VIRTUAL_CURRENCY OTHERS
        `),
      ),
    );
    expect(offers.some(({ prePurchase }) => prePurchase === true)).toBe(true);
    expect(offers.some(({ collectionOfferIds }) => collectionOfferIds.length > 0)).toBe(true);
    expect(new Set(offers.map(({ id }) => id)).size).toBeLessThan(offers.length);
  });

  it("has a discounted base game in a ranking, and upcoming games among the wishes only", () => {
    const ranked = new Set(ofKind(observations, "ranking").map(({ offerId }) => offerId));
    const discounted = prices.filter(({ price }) => price.discount > 0);
    expect(discounted.some(({ offerId }) => ranked.has(offerId))).toBe(true);
    const upcoming = new Set(
      offers
        .filter(({ releaseDate }) => releaseDate !== null && Date.parse(releaseDate) > +now)
        .map(({ id }) => id),
    );
    const wished = ofKind(observations, "ranking").filter(({ offerId }) => upcoming.has(offerId));
    expect(new Set(wished.map(({ collection }) => collection))).toEqual(
      new Set(["top-wishlisted"]),
    );
  });

  it.each(["android", "ios", undefined])("has a current giveaway on platform %s", (platform) => {
    const current = ofKind(observations, "giveaway").filter(
      ({ startDate, endDate }) =>
        Date.parse(startDate) <= +now && endDate !== null && Date.parse(endDate) >= +now,
    );
    expect(current.some((giveaway) => giveaway.platform === platform)).toBe(true);
  });

  it("has past and future giveaways", () => {
    const giveaways = ofKind(observations, "giveaway");
    expect(giveaways.some(({ endDate }) => endDate !== null && Date.parse(endDate) < +now)).toBe(
      true,
    );
    expect(giveaways.some(({ startDate }) => Date.parse(startDate) > +now)).toBe(true);
  });
});

describe("a catalogue of 2,000 offers", () => {
  const observations = observe(2000, 1);
  const offers = ofKind(observations, "offer");

  it("has about 107,000 observations, and sells about 45 % of its offers", () => {
    expect(observations.length).toBeGreaterThan(95_000);
    expect(observations.length).toBeLessThan(120_000);
    const sold = new Set(ofKind(observations, "price").map(({ offerId }) => offerId)).size;
    expect(sold / 2000).toBeGreaterThan(0.38);
    expect(sold / 2000).toBeLessThan(0.5);
  });

  it("has every manifest status, and builds that lack a platform, a label's part or their sizes", () => {
    const builds = ofKind(observations, "build");
    expect(new Set(builds.map(({ manifest }) => manifest?.status))).toEqual(
      new Set([
        undefined,
        ...words("processing verified invalid unavailable failed legacy_unverified"),
      ]),
    );
    expect(builds.some(({ labelName }) => labelName === "Live-Windows")).toBe(true);
    expect(builds.some(({ labelName }) => !labelName.includes("-"))).toBe(true);
    expect(builds.some(({ platform }) => platform === null)).toBe(true);
    expect(builds.some(({ downloadSizeBytes }) => downloadSizeBytes === null)).toBe(true);
  });

  it("has ratings of every level", () => {
    const ratings = new Set(ofKind(observations, "review").map(({ rating }) => rating));
    expect(ratings.size).toBe(11);
  });

  it("has slugs with and without /home, restricted countries, and prices missing somewhere", () => {
    const base = offers.filter(({ offerType }) => offerType === "BASE_GAME");
    expect(base.some(({ productSlug }) => productSlug?.endsWith("/home"))).toBe(true);
    expect(base.some(({ productSlug }) => productSlug?.endsWith("/home") === false)).toBe(true);
    expect(base.some(({ productSlug }) => productSlug === null)).toBe(true);
    expect(offers.some(({ countriesBlacklist }) => countriesBlacklist.length > 0)).toBe(true);
    expect(offers.some(({ countriesWhitelist }) => countriesWhitelist.length > 0)).toBe(true);
    const prices = ofKind(observations, "price").filter(({ price }) => price.discount === 0);
    expect(prices.length % regions.length).not.toBe(0);
  });

  it("has titles in Han, Hangul, Kana and Cyrillic letters, and with punctuation", () => {
    const titles = offers.map(({ title }) => title);
    for (const script of ["Han", "Hangul", "Hiragana", "Cyrillic"]) {
      const letter = new RegExp(`\\p{Script=${script}}`, "u");
      expect(titles.some((title) => letter.test(title))).toBe(true);
    }
    for (const mark of [":", "'", "&", "!", "?", '"', "/", "#", "×", "é"])
      expect(titles.some((title) => title.includes(mark))).toBe(true);
  });

  it("titles nearly every game differently", () => {
    const sandboxes = ofKind(observations, "sandbox").map(({ id, title }) => [id, title] as const);
    const titles = new Map(sandboxes);
    expect(new Set(titles.values()).size / titles.size).toBeGreaterThan(0.95);
  });

  it("has English texts with `an` before a vowel that repeat no pattern's name", () => {
    for (const { description } of offers) {
      expect(description).not.toMatch(/\ba [aeiou]/i);
      expect(description).not.toMatch(/[{}]/);
    }
  });
});
