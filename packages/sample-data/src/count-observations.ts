import { generateCatalogue } from "./generate-catalogue.ts";
import type { CatalogueOptions } from "./generate-catalogue.ts";

/** Counting generates this many offers at most: some tenths of a second. */
const countedOffers = 2_500;

/**
 * How many observations `generateCatalogue` gives for the same options, for a progress bar: exact
 * up to 2,500 offers, beyond that in proportion, a few per cent off.
 */
export function countObservations(options: CatalogueOptions): number {
  const offers = Math.min(options.offers, countedOffers);
  let count = 0;
  for (const _ of generateCatalogue({ ...options, offers })) count++;
  return offers === 0 ? count : Math.round((count * options.offers) / offers);
}
