import { regions } from "@storefront/domain/regions";
import { describe, expect, it } from "vitest";
import { generateCatalogue } from "./generate-catalogue.ts";
import type { ObservationOf } from "./generate-catalogue.ts";
import { identityOf, referencesOf } from "../test/references.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const currencies = new Map(regions.map(({ region, currencyCode }) => [region, currencyCode]));

/** Limits of the import format on texts, in code points, and on lists. */
const maxTextLength: Readonly<Record<string, number>> = {
  title: 512,
  description: 65_536,
  longDescription: 262_144,
};
const maxListLength: Readonly<Record<string, number>> = {
  keyImages: 512,
  tags: 512,
  customAttributes: 1024,
  collectionOfferIds: 4096,
};

/** Members of a value that break a limit of the import format, at any depth. */
function violations(name: string, value: unknown): string[] {
  if (typeof value === "string") {
    const length = Array.from(value).length;
    const identifies = /^id$|Id$|^namespace$|^region$/.test(name);
    const wrong =
      !value.isWellFormed() ||
      value.includes("\0") ||
      length > (maxTextLength[name] ?? Infinity) ||
      (identifies && (length < 1 || length > 256 || /\p{Control}/u.test(value)));
    return wrong ? [`${name}: ${value}`] : [];
  }
  if (Array.isArray(value)) {
    const wrong = value.length > (maxListLength[name] ?? Infinity);
    return [...(wrong ? [name] : []), ...value.flatMap((element) => violations(name, element))];
  }
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, member]) => violations(key, member));
  return typeof value === "number" && !Number.isFinite(value) ? [name] : [];
}

function isRightPrice({ record, observedAt }: ObservationOf<"price">): boolean {
  const { currencyCode, originalPrice, discountPrice, discount } = record.price;
  const payable = record.appliedRules[0]?.discountPercentage ?? 100;
  return (
    currencyCode === currencies.get(record.region) &&
    Number.isSafeInteger(originalPrice) &&
    originalPrice >= 0 &&
    discountPrice === Math.round((originalPrice * payable) / 100) &&
    discount === originalPrice - discountPrice &&
    record.appliedRules.every((rule) => rule.startDate <= observedAt && observedAt < rule.endDate)
  );
}

describe.each([
  { offers: 1, seed: 1 },
  { offers: 137, seed: 2 },
  { offers: 3000, seed: "three" },
])("a catalogue of $offers offers with the seed $seed", ({ offers, seed }) => {
  const observations = [...generateCatalogue({ offers, seed, now })];

  it("has exactly that many offers", () => {
    const ids = observations.filter(({ kind }) => kind === "offer").map(identityOf);
    expect(new Set(ids).size).toBe(offers);
  });

  it("keeps every limit of the import format", () => {
    for (const observation of observations) {
      expect(violations(observation.kind, observation.record)).toEqual([]);
      expect(Buffer.byteLength(JSON.stringify(observation))).toBeLessThan(16_384);
    }
  });

  it("refers to earlier records only, and its builds to apps of earlier items", () => {
    const known = new Set<string>();
    const apps = new Set<string>();
    for (const observation of observations) {
      const missing = referencesOf(observation).filter((reference) => !known.has(reference));
      if (observation.kind === "item")
        for (const { appId } of observation.record.releaseInfo) apps.add(appId);
      if (observation.kind === "build" && !apps.has(observation.record.appName))
        missing.push(observation.record.appName);
      expect(missing).toEqual([]);
      known.add(`${observation.kind} ${identityOf(observation)}`);
    }
  });

  it("repeats a record only with a later observation, and observes nothing after now", () => {
    const lastSeen = new Map<string, string>();
    for (const observation of observations) {
      const key = `${observation.kind} ${identityOf(observation)}`;
      expect(observation.observedAt > (lastSeen.get(key) ?? "")).toBe(true);
      expect(observation.observedAt <= now.toISOString()).toBe(true);
      lastSeen.set(key, observation.observedAt);
    }
  });

  it("has prices in whole minor units, with the discount of their rule, in the region's currency", () => {
    const wrong = observations.filter((line) => line.kind === "price" && !isRightPrice(line));
    expect(wrong).toEqual([]);
  });

  it("has rankings without gaps or ties", () => {
    const positions = new Map<string, number>();
    for (const { kind, record } of observations) {
      if (kind !== "ranking") continue;
      expect(record.position).toBe((positions.get(record.collection) ?? 0) + 1);
      positions.set(record.collection, record.position);
    }
  });
});

it("generates the same for the same options, and other records for another seed", () => {
  const [first, second] = [7, "7"].map((seed) =>
    JSON.stringify([...generateCatalogue({ offers: 300, seed, now })]),
  );
  expect(first).toBe(second);
  expect(offerIds(7).isDisjointFrom(offerIds(8))).toBe(true);
});

function offerIds(seed: number | string): Set<string> {
  const observations = [...generateCatalogue({ offers: 300, seed, now })];
  return new Set(observations.filter(({ kind }) => kind === "offer").map(identityOf));
}

it("generates only tags for no offers, and rejects other numbers", () => {
  const kinds = [...generateCatalogue({ offers: 0, seed: 1, now })].map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["tag"]));
  for (const offers of [-1, 1.5, 1_000_001, NaN])
    expect(() => generateCatalogue({ offers, seed: 1, now }).next()).toThrow(RangeError);
});
