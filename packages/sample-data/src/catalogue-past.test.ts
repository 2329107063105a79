import { describe, expect, it } from "vitest";
import { generateCatalogue } from "./generate-catalogue.ts";
import type { Kind, Observation, ObservationOf } from "./generate-catalogue.ts";

const now = new Date("2026-03-05T17:20:31.007Z");
const dayMs = 24 * 60 * 60 * 1000;

function isOf<K extends Kind>(kind: K) {
  return (observation: Observation): observation is Extract<Observation, ObservationOf<K>> =>
    observation.kind === kind;
}

describe.each([1, "beta"])("the past of a catalogue of 600 offers with the seed %s", (seed) => {
  const observations = [...generateCatalogue({ offers: 600, seed, now })];
  const prices = observations.filter(isOf("price"));
  const byPrice = Map.groupBy(prices, ({ record }) => `${record.offerId} ${record.region}`);
  const inUs = [...byPrice].filter(([key]) => key.endsWith(" US")).map(([, states]) => states);

  it("has sales in most price histories that began and ended, within a year", () => {
    const withSale = inUs.filter((states) =>
      states.some(
        ({ record }, n) =>
          record.appliedRules.length > 0 && states[n + 1]?.record.appliedRules.length === 0,
      ),
    );
    expect(withSale.length / inUs.length).toBeGreaterThan(0.5);
    const oldestMs = Math.min(...prices.map(({ observedAt }) => Date.parse(observedAt)));
    expect(+now - oldestMs).toBeGreaterThan(300 * dayMs);
    const fromYearAgo = prices.filter(
      ({ observedAt, record }) =>
        +now - Date.parse(observedAt) > 366 * dayMs && record.appliedRules.length > 0,
    );
    expect(fromYearAgo).toEqual([]);
  });

  it("has a price in a sale only while the sale lasts", () => {
    for (const states of byPrice.values()) {
      const rules = states.at(-1)?.record.appliedRules ?? [];
      expect(rules.every(({ endDate }) => Date.parse(endDate) > +now)).toBe(true);
    }
  });

  it("has full prices that rose and fell, at different times in some regions", () => {
    const moves = (region: string) =>
      [...byPrice]
        .filter(([key]) => key.endsWith(` ${region}`))
        .flatMap(([, states]) =>
          states.flatMap(({ record, observedAt }, n) => {
            const before = states[n - 1]?.record.price.originalPrice;
            if (before === undefined || before === record.price.originalPrice) return [];
            return [{ observedAt, rises: record.price.originalPrice > before }];
          }),
        );
    expect(moves("US").some(({ rises }) => !rises)).toBe(true);
    expect(moves("TR").some(({ rises }) => rises)).toBe(true);
    expect(moves("TR").length).toBeGreaterThan(moves("US").length);
  });

  it("has changes of offers, items, assets, builds and sandboxes, offers in each month and lately", () => {
    for (const kind of ["offer", "item", "asset", "build", "sandbox"] as const) {
      const states = Map.groupBy(observations.filter(isOf(kind)), ({ record }) =>
        "artifactId" in record ? `${record.artifactId} ${record.platform}` : record.id,
      );
      expect([...states.values()].some(({ length }) => length > 1)).toBe(true);
    }
    const agesDays = observations
      .filter(isOf("offer"))
      .map(({ observedAt }) => (+now - Date.parse(observedAt)) / dayMs);
    for (let month = 0; month < 12; month++) {
      const isInMonth = (age: number) => age >= month * 30 && age < (month + 1) * 30;
      expect(agesDays.filter(isInMonth).length).toBeGreaterThan(10);
    }
    expect(agesDays.some((age) => age < 2)).toBe(true);
  });

  it("has reviews of most products", () => {
    const sold = new Set(prices.map(({ record }) => record.offerId));
    const reviewed = new Set(
      observations.filter(isOf("review")).map(({ record }) => record.offerId),
    );
    expect(sold.intersection(reviewed).size / sold.size).toBeGreaterThan(0.6);
  });
});
