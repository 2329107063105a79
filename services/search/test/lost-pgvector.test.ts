import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { pgvector } from "@storefront/testkit";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { IndexWrites } from "../src/engine/index-documents.ts";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { createPostgresEngine, searchService } from "../src/index.ts";
import { offerOf } from "./support/offer-of.ts";

const right = Float32Array.from([1, 0]);

let directory: string;
let warnings: string[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lost-pgvector-"));
  warnings = [];
});
afterEach(() => rm(directory, { recursive: true }));

/** Runs a start of the service's engine, with pgvector on the server or without. */
async function start(
  has: { pgvector: boolean },
  work: (engine: SearchEngine, database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase({
    url: `pglite:${directory}`,
    pgliteExtensions: has.pgvector ? { vector: pgvector } : {},
  });
  const logger = { warn: (_: object, message: string) => void warnings.push(message) };
  const engine = createPostgresEngine(database, logger);
  try {
    await work(engine, database);
  } finally {
    await engine.close();
    await database.close();
  }
}

/** Writes an offer with its vector to generation 1. */
async function write(engine: SearchEngine, database: Database, offerId: string): Promise<void> {
  const writes: IndexWrites = {
    offers: [offerOf(offerId)],
    vectors: [{ offerId, vector: right }],
  };
  await database.transaction((tx) => engine.write(tx, 1, writes));
}

async function find(engine: SearchEngine): Promise<string[]> {
  const search = { text: "zzz", vectorIn: async () => ({ vector: right }), limit: 10 };
  return (await engine.searchByMeaning(search)).map(({ offerId }) => offerId).toSorted();
}

it("goes on by other means where a server has lost pgvector, and by it when it is back", async () => {
  const isIndexed = async (database: Database) =>
    (await database.readOne("select from pg_indexes where indexname = 'g1_near_0_index'")) !==
    undefined;
  await start({ pgvector: false }, async (engine, database) => {
    await migrate(database, searchService.migrations);
    await engine.createGeneration(1, { dimensions: 2 });
    await write(engine, database, "a");
    await engine.indexVectors(1, 0);
    await database.transaction((tx) => engine.activate(tx, 1));
    expect(await isIndexed(database)).toBe(false);
    expect(await find(engine)).toEqual(["a"]);
  });
  await start({ pgvector: true }, async (engine, database) => {
    await engine.indexVectors(1, 0);
    expect(await isIndexed(database)).toBe(true);
    expect(await find(engine)).toEqual(["a"]);
  });
  expect(warnings).toEqual([]);
  await start({ pgvector: false }, async (engine, database) => {
    expect(await find(engine)).toEqual(["a"]);
    await write(engine, database, "b");
    await engine.indexVectors(1, 0);
    expect(await find(engine)).toEqual(["a", "b"]);
  });
  expect(warnings).toEqual(["pgvector is gone: vectors are compared in memory"]);
  await start({ pgvector: true }, async (engine, database) => {
    expect(await find(engine)).toEqual(["a", "b"]);
    await database.write("drop extension vector cascade");
    expect(await isIndexed(database)).toBe(false);
    expect(await find(engine)).toEqual(["a", "b"]);
    const next = createPostgresEngine(database);
    await next.indexVectors(1, 0);
    expect(await isIndexed(database)).toBe(true);
    expect(await find(next)).toEqual(["a", "b"]);
    await next.close();
  });
  // Without its library not even a table can be dropped that it indexes.
  await start({ pgvector: false }, async (engine, database) => {
    await engine.dropGeneration(1);
    expect(await isIndexed(database)).toBe(true);
  });
});

it("goes on by other means where it may not install pgvector, and says so once", async () => {
  await start({ pgvector: true }, async (engine, database) => {
    await migrate(database, searchService.migrations);
    await engine.createGeneration(1, { dimensions: 2 });
    await write(engine, database, "a");
    await database.transaction((tx) => engine.activate(tx, 1));
    await database.write("create role plain");
    await database.write("grant all on schema search to plain");
    await database.write("grant all on all tables in schema search to plain");
    await database.write("set role plain");
    await engine.indexVectors(1, 0);
    await engine.indexVectors(1, 0);
    expect(await find(engine)).toEqual(["a"]);
    await database.write("reset role");
  });
  expect(warnings).toEqual(["pgvector may not be installed: vectors are compared in memory"]);
});
