import type { Database } from "@storefront/database";
import { LiveGeneration } from "../live-generation.ts";
import type { SearchEngine } from "../search-engine.ts";
import { KnownWords } from "./known-words.ts";
import { liveTable } from "./live-table.ts";
import { searchByMeaning } from "./search-by-meaning.ts";
import { searchEntries } from "./search-entries.ts";
import { countFacets, searchOffers } from "./search-offers.ts";
import { createTables, dropTables, tablesOf } from "./tables.ts";
import { TermNumbers } from "./term-numbers.ts";
import { TextTables } from "./text-tables.ts";
import { VectorTables } from "./vector-tables.ts";
import { writeIndex } from "./write-index.ts";

/** Said in the statement's own transaction: behind a pooler the role may have limits of its own. */
const unlimited = "set local statement_timeout = 0; set local lock_timeout = 0";

/**
 * Longest that a drop waits for those who still read, in milliseconds: whoever comes after them waits
 * behind it. To remove the files of a large table takes as long as it takes.
 */
const dropLockTimeoutMs = 2_000;

/**
 * The search engine in the service's own database, with its tables in schema `search`. It searches
 * words by `tsvector`, filters by arrays of numbered terms, takes prices from a table for each region,
 * and keeps the words, for correcting, and the vectors in memory.
 */
export function createPostgresEngine(database: Database): SearchEngine {
  const terms = new TermNumbers();
  const words = new KnownWords(database);
  const vectors = new VectorTables(database);
  const live = new LiveGeneration(liveTable(database));
  const texts = new TextTables();
  const deps = { database, terms, words, texts, vectors };
  return {
    name: "postgres",
    isInDatabase: true,
    probe: async () => {
      await database.probe();
    },
    close: async () => {},
    // Vectors bring their dimensions with them.
    createGeneration: (generation) =>
      database.transaction((tx) =>
        tx.script(`${dropTables(generation)}; ${createTables(generation)}`),
      ),
    write: (tx, generation, writes) => writeIndex(tx, terms, generation, writes),
    finishBuilding: async (generation, signal) => {
      const { offer, text, price, entry } = tablesOf(generation);
      const statements = [offer, text, price, entry].map(
        (table) => `${unlimited}; analyze ${table}`,
      );
      await database.outsideTransaction(statements, signal);
    },
    activate: (generation) => live.activate(generation),
    liveGeneration: () => live.read(),
    dropGeneration: (generation) =>
      database.transaction(
        (tx) =>
          tx.script(`set local lock_timeout = ${dropLockTimeoutMs}; ${dropTables(generation)}`),
        { isUnlimited: true },
      ),
    searchOffers: (search) => live.ask((generation) => searchOffers(deps, generation, search)),
    countFacets: (search) => live.ask((generation) => countFacets(deps, generation, search)),
    searchEntries: (search) =>
      live.ask((generation) => searchEntries(database, generation, search)),
    searchByMeaning: (search) =>
      live.ask(async (generation) =>
        searchByMeaning(deps, generation, {
          ...search,
          ...(await search.vectorIn(generation)),
        }),
      ),
  };
}
