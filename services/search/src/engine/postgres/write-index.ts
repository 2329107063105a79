import { bulkDelete, bulkUpsert } from "@storefront/database";
import type { Transaction } from "@storefront/database";
import type { EntryDocument, IndexWrites, OfferVector } from "../index-documents.ts";
import { offerNumbers } from "../../store/source-offer-store.ts";
import { tablesOf } from "./tables.ts";
import type { TermNumbers } from "./term-numbers.ts";
import { plainVector } from "./words/text-vector.ts";
import { vectorBytes } from "./vector-bytes.ts";
import { writeOffers } from "./write-offers.ts";

/** Applies writes to the tables of a generation. Prices are shared by all generations: see store/price-store.ts. */
export async function writeIndex(
  tx: Transaction,
  terms: TermNumbers,
  generation: number,
  writes: IndexWrites,
): Promise<void> {
  const { offers = [], removedOffers = [], entries = [], removedEntries = [] } = writes;
  const { vectors = [], vectorSet = 0, removedVectors = [] } = writes;
  const numbers = await offerNumbers(tx, [
    ...offers.map(({ offerId }) => offerId),
    ...removedOffers,
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

/** The row of a removed vector stays, so that the copy for pgvector notices the removal. */
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
