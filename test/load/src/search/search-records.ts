import { defaultRegion } from "@storefront/domain/regions";
import { generateCatalogue } from "@storefront/sample-data";
import type { Observation, Records } from "@storefront/sample-data";
import { once } from "node:events";
import { createWriteStream } from "node:fs";

/** A price as the peer stores it. */
export interface StoredPrice {
  offerId: string;
  region: string;
  original: number;
  discounted: number;
  updatedAt: string | null;
  /** The lowest price so far. */
  lowest: number;
}

/** The newest states of the searched records. */
export interface SearchRecords {
  offers: Records["offer"][];
  prices: StoredPrice[];
  /** Technologies of builds, those of most builds first. */
  technologies: string[];
}

/** Regions that have prices here; each is searched separately. */
export const pricedRegions = ["US", "EURO", "BR2"];

/** Written last: when the index has it with its price, it has everything. */
export const lastOffer = { id: "bench-last", seller: "bench-last-seller" };

// Any fixed moment, so that every run has the same catalogue.
const now = new Date("2026-01-01T00:00:00Z");
const searchedKinds = new Set(["offer", "item", "build", "giveaway"]);

/** Writes an import file of so many generated offers, and the records that their search needs. */
export async function writeSearchRecords(offerCount: number, file: string): Promise<SearchRecords> {
  const offers = new Map<string, Records["offer"]>();
  const prices = new Map<string, StoredPrice>();
  const technologies = new Map<string, number>();
  const stream = createWriteStream(file);
  const write = async (observation: Observation): Promise<void> => {
    if (!stream.write(`${JSON.stringify(observation)}\n`)) await once(stream, "drain");
  };
  for (const observation of generateCatalogue({ offers: offerCount - 1, seed: "bench", now })) {
    const { kind, record } = observation;
    if (kind === "offer") offers.set(record.id, record);
    if (kind === "build") {
      for (const { technology } of record.technologies) {
        technologies.set(technology, (technologies.get(technology) ?? 0) + 1);
      }
    }
    if (kind === "price") {
      if (!pricedRegions.includes(record.region)) continue;
      const key = `${record.offerId} ${record.region}`;
      prices.set(key, storedPrice(record, prices.get(key)));
    } else if (!searchedKinds.has(kind)) continue;
    await write(observation);
  }
  for (const observation of lastObservations(offers, prices)) await write(observation);
  stream.end();
  await once(stream, "finish");
  return {
    offers: [...offers.values()],
    prices: [...prices.values()],
    technologies: [...technologies].toSorted(([, a], [, b]) => b - a).map(([name]) => name),
  };
}

function storedPrice(record: Records["price"], before: StoredPrice | undefined): StoredPrice {
  const { originalPrice: original, discountPrice: discounted } = record.price;
  return {
    offerId: record.offerId,
    region: record.region,
    original,
    discounted,
    updatedAt: record.updatedAt ?? null,
    lowest: Math.min(discounted, before?.lowest ?? discounted),
  };
}

/** The last offer: a copy of another one under its own id and seller. */
function lastObservations(
  offers: Map<string, Records["offer"]>,
  prices: Map<string, StoredPrice>,
): Observation[] {
  const [model] = offers.values();
  if (model === undefined) throw new Error("There are no offers.");
  const offer = { ...model, id: lastOffer.id, seller: { id: lastOffer.seller, name: "Bench" } };
  const updatedAt = now.toISOString();
  const amounts = { currencyCode: "USD", originalPrice: 1000, discountPrice: 1000, discount: 0 };
  const price = {
    offerId: offer.id,
    region: defaultRegion,
    price: amounts,
    updatedAt,
    appliedRules: [],
  };
  offers.set(offer.id, offer);
  prices.set(offer.id, storedPrice(price, undefined));
  return [
    { kind: "offer", op: "upsert", observedAt: updatedAt, record: offer },
    { kind: "price", op: "upsert", observedAt: updatedAt, record: price },
  ];
}
