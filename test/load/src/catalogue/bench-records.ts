import { generateCatalogue } from "@storefront/sample-data";
import type { Observation, Records } from "@storefront/sample-data";

/** A generated catalogue and the records that the bench requests. */
export interface BenchRecords {
  /** In the order of import. */
  observations: Observation[];
  /** The newest state of each offer. */
  offers: Records["offer"][];
  /** The newest state of each price. */
  prices: Records["price"][];
  /** Offers that have a price in the region, in a mixed order. */
  pricedOfferIds: string[];
  /** Offers that bundle `listSize` others, each with a price in the region. */
  listOfferIds: string[];
}

/** How many offers a list of the bench has. */
const listSize = 20;

const listCount = 100;
const seed = "bench";
// Any fixed moment, so that every run has the same catalogue.
const now = new Date("2026-01-01T00:00:00Z");

/**
 * The catalogue of every run.
 *
 * @param region the one whose prices are shown
 * @param offerCount offers, without those that bundle others
 */
export function createBenchRecords(region: string, offerCount: number): BenchRecords {
  const observations = [...generateCatalogue({ offers: offerCount, seed, now })];
  const offers = new Map<string, Records["offer"]>();
  const prices = new Map<string, Records["price"]>();
  for (const { kind, record } of observations) {
    if (kind === "offer") offers.set(record.id, record);
    if (kind === "price") prices.set(`${record.offerId} ${record.region}`, record);
  }
  const pricedOfferIds = mixed([...offers.keys()].filter((id) => prices.has(`${id} ${region}`)));
  const listOfferIds: string[] = [];
  for (const [index, id] of pricedOfferIds.slice(0, listCount).entries()) {
    const original = offers.get(id);
    if (original === undefined) continue;
    const from = (index * listSize) % (pricedOfferIds.length - listSize);
    const collectionOfferIds = pricedOfferIds.slice(from, from + listSize);
    const record = { ...original, id: `list-${index}`, collectionOfferIds };
    offers.set(record.id, record);
    listOfferIds.push(record.id);
    observations.push({ kind: "offer", op: "upsert", observedAt: now.toISOString(), record });
  }
  return {
    observations,
    offers: [...offers.values()],
    prices: [...prices.values()],
    pricedOfferIds,
    listOfferIds,
  };
}

/** The same elements in an order without neighbours: every 617th (a prime), wrapping around. */
function mixed(ids: readonly string[]): string[] {
  return ids.map((id, index) => ids[(index * 617) % ids.length] ?? id);
}
