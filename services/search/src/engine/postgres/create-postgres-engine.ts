import type { Database, DatabaseLogger, Queryable, Transaction } from "@storefront/database";
import { LiveGeneration } from "../live-generation.ts";
import type { LiveRecord } from "../live-generation.ts";
import type { SearchEngine } from "../search-engine.ts";
import { ColumnsOfGenerations } from "./columns/index-columns.ts";
import { forgetWrites } from "./columns/index-writes.ts";
import { TermKinds } from "./columns/term-kinds.ts";
import { KnownWords } from "./words/known-words.ts";
import { indexVectors } from "./near/index-vectors.ts";
import { dropNearTables, nearTablesOf } from "./near/near-tables.ts";
import { Pgvector } from "./near/pgvector.ts";
import { searchByMeaning } from "./search-by-meaning.ts";
import { searchEntries } from "./search-entries.ts";
import { listOffers } from "./list-offers.ts";
import { countFacets, searchOffers } from "./search-offers.ts";
import { createTables, dropTables, tablesOf, unlimited } from "./tables.ts";
import { TermNumbers } from "./term-numbers.ts";
import { writeIndex } from "./write-index.ts";

/**
 * Longest wait of a drop for readers, in milliseconds, since later readers queue behind it. Removing the files of a
 * large table is not limited.
 */
const dropLockTimeoutMs = 2_000;

/**
 * The search engine in the service's database, in schema `search`. It searches words by `tsvector`; filters, orders and
 * counts by columns in memory, which also has the words for corrections; and by meaning with pgvector.
 *
 * @param logger warned without pgvector; default none
 */
export function createPostgresEngine(database: Database, logger?: DatabaseLogger): SearchEngine {
  const terms = new TermNumbers();
  const words = new KnownWords(database);
  const pgvector = new Pgvector(database, logger);
  const record = liveTable(database);
  const live = new LiveGeneration(record);
  const columns = new ColumnsOfGenerations(database);
  const kinds = new TermKinds(database);
  const deps = { database, terms, kinds, words, columns, pgvector };
  return {
    name: "postgres",
    isInDatabase: true,
    probe: async () => {
      await database.probe();
    },
    close: async () => {},
    storesVectors: async () => (await pgvector.schema()) !== undefined,
    // Vectors have their dimensions.
    createGeneration: async (generation) => {
      await dropNearTables(database, generation);
      await database.transaction(async (tx) => {
        await tx.script(`${dropTables(generation)}; ${createTables(generation)}`);
        columns.forget(generation);
        await forgetWrites(tx, generation);
      });
    },
    write: async (tx, generation, writes) => {
      await writeIndex(inTransaction(tx), terms, generation, writes);
      return [];
    },
    indexVectors: (generation, set, signal) =>
      pgvector.use((schema) =>
        indexVectors(database, nearTablesOf(generation, set), schema, { signal, logger }),
      ),
    finishBuilding: async (generation, signal) => {
      const { offer, text, entry } = tablesOf(generation);
      const statements = [offer, text, entry].map((table) => `${unlimited}; analyze ${table}`);
      await database.outsideTransaction(statements, signal);
    },
    activate: (tx, generation) => record.write(tx, generation),
    liveGeneration: () => live.read(),
    dropGeneration: async (generation) => {
      const drop = `set local lock_timeout = ${dropLockTimeoutMs}; ${dropTables(generation)}`;
      await database.transaction(
        async (tx) => {
          await tx.script(drop);
          await forgetWrites(tx, generation);
        },
        { isUnlimited: true },
      );
      columns.forget(generation);
      await dropNearTables(database, generation);
    },
    searchOffers: (search) => live.ask((generation) => searchOffers(deps, generation, search)),
    listOffers: (listing) => live.ask((generation) => listOffers(deps, generation, listing)),
    countFacets: (search) => live.ask((generation) => countFacets(deps, generation, search)),
    searchEntries: (search) =>
      live.ask((generation) => searchEntries(database, generation, search)),
    searchByMeaning: async (search) => {
      await pgvector.requireSchema();
      return await live.ask(async (generation) =>
        searchByMeaning(deps, generation, {
          ...search,
          ...(await search.vectorIn(generation)),
        }),
      );
    },
  };
}

function inTransaction(tx: Transaction | undefined): Transaction {
  if (tx === undefined) throw new Error("an index in the database is written in a transaction");
  return tx;
}

/** SQLSTATE of a table that does not exist. */
const undefinedTable = "42P01";

/** Stores the live generation in a table of one row. */
function liveTable(database: Queryable): LiveRecord {
  return {
    async read() {
      const row = await database.readOne<{ generation: number }>(
        "select generation from search.live_generation",
      );
      return row?.generation;
    },
    async write(transaction, generation) {
      const tx = inTransaction(transaction);
      await tx.write("delete from search.live_generation");
      await tx.write("insert into search.live_generation (generation) values ($1)", [generation]);
    },
    isMissing: (error) =>
      error instanceof Error && "code" in error && error.code === undefinedTable,
  };
}
