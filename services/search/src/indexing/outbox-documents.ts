import type { Database } from "@storefront/database";
import { asRegion } from "@storefront/domain/identifiers";
import { modelOf } from "../domain/index-signature.ts";
import type { IndexWrites, PriceScope } from "../engine/index-documents.ts";
import type { Generation } from "../store/generation-store.ts";
import { everyGeneration, everyRegion } from "../store/outbox-store.ts";
import type { OutboxEntry, OutboxKey, OutboxKind } from "../store/outbox-store.ts";
import { readDocuments, readOfferPrices } from "./index-changes.ts";
import type { IndexChanges } from "./index-changes.ts";

/** Documents per request: an entry may stand for the prices of all regions. */
const maxDocuments = 20_000;

/** Regions that an offer is assumed to have prices in. */
const regionsOfOffer = 52;

export function outboxKeys(
  changes: IndexChanges,
  removedVectors: readonly string[] = [],
): OutboxKey[] {
  const { offers = [], removedOffers = [], prices = [] } = changes;
  const { entries = [], removedEntries = [] } = changes;
  const of = (kind: OutboxKind, ids: readonly string[]) =>
    ids.map((id): OutboxKey => ({ kind, id, region: "" }));
  return [
    ...of("offer", [...offers, ...removedOffers]),
    ...prices.flatMap(({ offerId: id, regions = [everyRegion] }) =>
      regions.map((region): OutboxKey => ({ kind: "price", id, region })),
    ),
    ...of("entry", [...entries, ...removedEntries]),
    ...of("vector", removedVectors),
  ];
}

/** The first entries that fit in one request; at least one. */
export function pageOf(entries: readonly OutboxEntry[]): readonly OutboxEntry[] {
  let documents = 0;
  const end = entries.findIndex(({ region }, index) => {
    documents += region === everyRegion ? regionsOfOffer : 1;
    return index > 0 && documents > maxDocuments;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** The writes of these entries to a generation, from the sources as stored now. */
export async function outboxWrites(
  database: Database,
  { number, signature }: Generation,
  page: readonly OutboxEntry[],
): Promise<IndexWrites> {
  const missing = page.filter(
    ({ generation }) => generation === everyGeneration || generation === number,
  );
  const idsOf = (kind: OutboxKind) => [
    ...new Set(missing.filter((entry) => entry.kind === kind).map(({ id }) => id)),
  ];
  const [offers, entries] = [idsOf("offer"), idsOf("entry")];
  const writes = await database.transaction(
    async (tx) => ({
      ...(await readDocuments(tx, { offers, entries })),
      prices: await readOfferPrices(tx, priceScopes(missing)),
    }),
    { readOnly: true },
  );
  // A reindex copies prices. A concurrently removed one has its own entry for all generations.
  const pricesAreCopied = missing.every(
    ({ kind, generation }) => kind !== "price" || generation === number,
  );
  const storedOffers = new Set(writes.offers?.map(({ offerId }) => offerId));
  const storedEntries = new Set(writes.entries?.map(({ entryId }) => entryId));
  return {
    ...writes,
    pricesAreCopied,
    removedOffers: offers.filter((id) => !storedOffers.has(id)),
    removedEntries: entries.filter((id) => !storedEntries.has(id)),
    removedVectors: modelOf(signature) === undefined ? [] : idsOf("vector"),
  };
}

function priceScopes(entries: readonly OutboxEntry[]): PriceScope[] {
  const regionsByOffer = new Map<string, Set<string>>();
  for (const { kind, id, region } of entries) {
    if (kind === "price") regionsByOffer.set(id, (regionsByOffer.get(id) ?? new Set()).add(region));
  }
  return [...regionsByOffer].map(([offerId, regions]) =>
    regions.has(everyRegion) ? { offerId } : { offerId, regions: [...regions].map(asRegion) },
  );
}
