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
    finishBuilding: async (generation) => {
      const { offer, text, price, entry } = tablesOf(generation);
      for (const table of [offer, text, price, entry]) await database.write(`analyze ${table}`);
    },
    activate: (generation) => live.activate(generation),
    liveGeneration: () => live.read(),
    dropGeneration: (generation) => database.transaction((tx) => tx.script(dropTables(generation))),
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
