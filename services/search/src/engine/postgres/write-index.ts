import { bulkDelete, bulkUpsert } from "@storefront/database";
import type { Column, Transaction } from "@storefront/database";
import type { EntryDocument, IndexWrites, OfferPrices, OfferVector } from "../index-documents.ts";
import { offerNumbers } from "./offer-numbers.ts";
import { presentColumns } from "./present-columns.ts";
import { tablesOf } from "./tables.ts";
import type { TermNumbers } from "./term-numbers.ts";
import { plainVector } from "./words/text-vector.ts";
import { vectorBytes } from "./vectors/vector-bytes.ts";
import { writeOffers } from "./write-offers.ts";

const priceColumns: readonly Column[] = [
  { name: "region", type: "text" },
  { name: "number", type: "int" },
  { name: "original", type: "int8" },
  { name: "discounted", type: "int8" },
  { name: "updated_at", type: "int8" },
  { name: "is_lowest", type: "boolean" },
];

/** Indexes that were made before there were lows have none. */
const lowestSinceColumn: Column = { name: "lowest_since", type: "int8" };

/** Applies writes to the tables of a generation. */
export async function writeIndex(
  tx: Transaction,
  terms: TermNumbers,
  generation: number,
  writes: IndexWrites,
): Promise<void> {
  const { offers = [], removedOffers = [], prices = [], pricesAreCopied = false } = writes;
  const { entries = [], removedEntries = [] } = writes;
  const { vectors = [], vectorSet = 0, removedVectors = [] } = writes;
  const numbers = await offerNumbers(tx, [
    ...offers.map(({ offerId }) => offerId),
    ...removedOffers,
    ...prices.map(({ offerId }) => offerId),
    ...vectors.map(({ offerId }) => offerId),
    ...removedVectors,
  ]);
  const tables = tablesOf(generation);
  const numberOf = (offerId: string) => numbers.get(offerId);
  await writeOffers(tx, terms, { generation, offers, numbers });
  const removed = removedOffers.map((offerId) => ({ number: numberOf(offerId) }));
  const keyColumns = [{ name: "number", type: "int" }];
  await bulkDelete(tx, { table: tables.offer, keyColumns }, removed);
  await bulkDelete(tx, { table: tables.text, keyColumns }, removed);
  if (!pricesAreCopied) await deleteOtherPrices(tx, tables.price, prices, numbers);
  await writePrices(tx, tables.price, prices, numbers);
  await writeEntries(tx, tables.entry, entries);
  await bulkDelete(
    tx,
    { table: tables.entry, keyColumns: [{ name: "entry_id", type: "text" }] },
    removedEntries.map((entry_id) => ({ entry_id })),
  );
  const removedNumbers = removedVectors.map(numberOf);
  for (const table of Object.values(tables.vectors)) await forgetVectors(tx, table, removedNumbers);
  await writeVectors(tx, tables.vectors[vectorSet], vectors, numbers);
}

/** Deletes prices of regions in which the offers have none any more: a look into every partition. */
async function deleteOtherPrices(
  tx: Transaction,
  table: string,
  offers: readonly OfferPrices[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  if (offers.length === 0) return;
  const kept = offers.flatMap(({ offerId, prices }) =>
    prices.map(({ region }) => ({ region, number: numbers.get(offerId) })),
  );
  await tx.write(
    `delete from ${table} as price
      where number = any($1::int[]) and not exists (
        select from unnest($2::text[], $3::int[]) as kept(region, number)
        where kept.region = price.region and kept.number = price.number)`,
    [
      offers.map(({ offerId }) => numbers.get(offerId)),
      kept.map(({ region }) => region),
      kept.map(({ number }) => number),
    ],
  );
}

async function writePrices(
  tx: Transaction,
  table: string,
  offers: readonly OfferPrices[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = offers.flatMap(({ offerId, prices }) =>
    prices.map((price) => ({
      region: price.region,
      number: numbers.get(offerId),
      original: price.originalPrice,
      discounted: price.discountPrice,
      updated_at: price.updatedAtMs,
      is_lowest: price.isLowest,
      lowest_since: price.lowestSinceMs,
    })),
  );
  if (rows.length === 0) return;
  const isPresent = await presentColumns(tx, table, [lowestSinceColumn.name]);
  const columns = isPresent.has(lowestSinceColumn.name)
    ? [...priceColumns, lowestSinceColumn]
    : priceColumns;
  // Most prices of an offer are as they were; those are not written again.
  await bulkUpsert(
    tx,
    { table, keyColumns: ["number", "region"], leavesSame: true, columns },
    rows,
  );
}

async function writeEntries(
  tx: Transaction,
  table: string,
  entries: readonly EntryDocument[],
): Promise<void> {
  await bulkUpsert(
    tx,
    {
      table,
      keyColumns: ["entry_id"],
      leavesSame: true,
      columns: [
        { name: "entry_id", type: "text" },
        { name: "timestamp_ms", type: "int8" },
        { name: "context_type", type: "text" },
        { name: "context_id", type: "text" },
        { name: "words", type: "tsvector" },
      ],
    },
    entries.map(({ entryId, timestampMs, contextType, contextId, text }) => ({
      entry_id: entryId,
      timestamp_ms: timestampMs,
      context_type: contextType,
      context_id: contextId,
      words: plainVector(text),
    })),
  );
}

/** A vector that is gone stays as a row without one, so that those who hold vectors in memory learn of it. */
async function forgetVectors(
  tx: Transaction,
  table: string,
  numbers: readonly (number | undefined)[],
): Promise<void> {
  if (numbers.length === 0) return;
  await tx.write(
    `update ${table} set vector = null, version = nextval('search.vector_version')
      where number = any($1::int[]) and vector is not null`,
    [numbers],
  );
}

async function writeVectors(
  tx: Transaction,
  table: string,
  vectors: readonly OfferVector[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  if (vectors.length === 0) return;
  const row = await tx.readOne<{ version: bigint }>(
    "select nextval('search.vector_version') as version",
  );
  await bulkUpsert(
    tx,
    {
      table,
      keyColumns: ["number"],
      columns: [
        { name: "number", type: "int" },
        { name: "version", type: "int8" },
        { name: "vector", type: "bytea" },
      ],
    },
    vectors.map(({ offerId, vector }) => ({
      number: numbers.get(offerId),
      version: row?.version,
      vector: vectorBytes(vector),
    })),
  );
}
