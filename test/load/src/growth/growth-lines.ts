import { regions } from "@storefront/domain/regions";
import { generateCatalogue } from "@storefront/sample-data";

/** Any fixed moment, so that every run has the same catalogue. */
const now = new Date("2026-01-01T00:00:00Z");
const seed = "growth";

/** Regions whose prices are imported; see `fillRegions` for the others. */
const importedRegions = new Set(["US", "EURO", "BR2", "JP"]);
const priced = regions.filter(({ region }) => importedRegions.has(region));

/** The imported region that the others are copied from. */
export const modelRegion = "US";

/** US cents that offers cost. */
const tiers = [0, 199, 499, 799, 999, 1499, 1999, 2499, 2999, 3999, 4999, 5999];
/** Every fourth offer is on sale, at these percents off. */
const sales = [10, 25, 50, 75];

/**
 * Lines of the import format: a generated catalogue of so many offers, and for each offer a price in
 * each of some regions, which the generator does not create.
 */
export function* growthLines(offers: number): Generator<string> {
  const offerIds: string[] = [];
  for (const observation of generateCatalogue({ offers, seed, now })) {
    if (observation.kind === "price") continue;
    if (observation.kind === "offer" && offerIds.at(-1) !== observation.record.id) {
      offerIds.push(observation.record.id);
    }
    yield JSON.stringify(observation);
  }
  const ids = [...new Set(offerIds)];
  for (const [index, offerId] of ids.entries()) {
    for (const region of priced) yield priceLine(offerId, index, region);
  }
}

function priceLine(
  offerId: string,
  index: number,
  { region, currencyCode }: (typeof regions)[number],
): string {
  const originalPrice = tiers[index % tiers.length] ?? 0;
  const percent = index % 4 === 0 ? (sales[(index / 4) % sales.length] ?? 0) : 0;
  const discount = Math.floor((originalPrice * percent) / 100);
  const discountPrice = originalPrice - discount;
  const at = now.toISOString();
  const price = { currencyCode, originalPrice, discountPrice, discount };
  const record = { offerId, region, price, updatedAt: at, appliedRules: [] };
  return JSON.stringify({ kind: "price", op: "upsert", observedAt: at, record });
}
