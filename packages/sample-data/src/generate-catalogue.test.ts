import { expect, it } from "vitest";
import { countObservations, generateCatalogue } from "./generate-catalogue.ts";
import type { CatalogueOptions } from "./generate-catalogue.ts";

const now = new Date("2026-11-21T09:00:00.000Z");

function countAll(options: CatalogueOptions): number {
  return [...generateCatalogue(options)].length;
}

it.each([0, 1, 100, 2500])("counts the observations of %i offers exactly", (offers) => {
  const options = { offers, seed: 4, now };
  expect(countObservations(options)).toBe(countAll(options));
});

it("estimates the observations of many offers within a tenth", () => {
  const options = { offers: 6_000, seed: 4, now };
  const exact = countAll(options);
  expect(Math.abs(countObservations(options) - exact)).toBeLessThan(exact / 10);
});
