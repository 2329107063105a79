import { create, toBinary } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { memoryDatabase } from "@storefront/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { createBuiltinEmbedder, createPostgresEngine } from "../src/index.ts";
import { IndexConfiguration } from "../src/indexing/index-configuration.ts";
import { requestReindex } from "../src/indexing/reindex-control.ts";
import type { ReindexDependencies } from "../src/indexing/reindex-steps.ts";
import { runReindex } from "../src/indexing/run-reindex.ts";
import { findOutgrown } from "../src/indexing/retrain.ts";
import { retireOthers, sweepGenerations } from "../src/indexing/retire-generations.ts";
import { queueChanged } from "../src/store/embedding-queue.ts";
import { listGenerations } from "../src/store/generation-store.ts";
import { lastReindex } from "../src/store/reindex-job-store.ts";
import { beginRetraining, TrainingStore } from "../src/store/training-store.ts";
import { nowMs } from "./support/generated-documents.ts";
import { everything } from "../src/domain/offer-filter.ts";

let database: Database;
let engine: SearchEngine;
let deps: ReindexDependencies;
beforeEach(async () => {
  database = await openDatabase(await memoryDatabase("schemas"));
  engine = createPostgresEngine(database);
  const trainings = new TrainingStore(database);
  const configuration = configurationOf("s");
  deps = {
    database,
    engine,
    signature: "s",
    holder: "this process",
    configuration,
    embedder: undefined,
    trainings,
    wake: () => {},
  };
  await build(deps);
});
afterEach(() => database.close());

const configurationOf = (signature: string) =>
  new IndexConfiguration({ database, signature: async () => signature, projectionVersion: 1 });
const build = async (by: ReindexDependencies) => {
  await runReindex(by, await requestReindex(by, "a test"), new AbortController().signal);
};
const totalFound = async () => {
  const order = { key: "price", isAscending: true } as const;
  const page = { region: defaultRegion, nowMs, offset: 0, limit: 10, aggregations: [] };
  return (await engine.searchOffers({ filter: everything, order, ...page })).total;
};
const generations = async () =>
  (await listGenerations(database)).map(({ number, isLive }) => ({ number, isLive }));
const letTimePass = async () =>
  await database.write("update search.generation set touched_at = now() - interval '2 minutes'");
const tablesOf = async (generation: number) => {
  const rows = await database.read<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'search' and tablename like $1",
    [`g${generation}\\_%`],
  );
  return rows.length;
};
const storeOffer = async (title: string) =>
  await database.write(
    `insert into search.source_offer (id, item_ids, record) values ('a', '{}', $1)
      on conflict (id) do update set record = excluded.record`,
    [Buffer.from(toBinary(OfferSchema, create(OfferSchema, { id: "a", title })))],
  );
const failure = new Error("the response is lost");

it("retains the activated generation when the response to its activation is lost", async () => {
  let isActivated = false;
  const losing: SearchEngine = {
    ...engine,
    activate: async (tx, generation) => {
      await engine.activate(tx, generation);
      isActivated = true;
    },
    liveGeneration: async () => {
      if (isActivated) throw failure;
      return await engine.liveGeneration();
    },
  };
  await expect(build({ ...deps, engine: losing })).rejects.toBe(failure);
  expect(await totalFound()).toBe(0);
  await sweepGenerations(deps);
  expect(await generations()).toEqual([
    { number: 1, isLive: true },
    { number: 2, isLive: false },
  ]);
  await letTimePass();
  await sweepGenerations(deps);
  expect(await generations()).toEqual([{ number: 2, isLive: true }]);
  expect(await tablesOf(1)).toBe(0);
  expect(await totalFound()).toBe(0);
  expect(await lastReindex(database)).toMatchObject({ phase: "done" });
});

it("abandons a generation when its activation keeps failing, not at the first failure", async () => {
  const activate = async () => {
    throw failure;
  };
  const failing = { ...deps, engine: { ...engine, activate } };
  await expect(build(failing)).rejects.toBe(failure);
  for (let again = 1; again <= 5; again++) {
    expect(await lastReindex(database)).toMatchObject({ number: 2, phase: "activating" });
    await expect(build(failing)).rejects.toBe(failure);
  }
  expect(await lastReindex(database)).toMatchObject({ phase: "failed", error: String(failure) });
  expect(await generations()).toEqual([{ number: 1, isLive: true }]);
  expect(await tablesOf(2)).toBe(0);
  expect(await totalFound()).toBe(0);
  await build(deps);
  expect(await engine.liveGeneration()).toBe(3);
});

it("drops an old generation later when the first attempt failed", async () => {
  const dropGeneration = async () => {
    throw failure;
  };
  await expect(build({ ...deps, engine: { ...engine, dropGeneration } })).rejects.toBe(failure);
  expect(await generations()).toEqual([{ number: 2, isLive: true }]);
  expect(await tablesOf(1)).toBeGreaterThan(0);
  await sweepGenerations(deps);
  expect(await tablesOf(1)).toBe(0);
});

it("ignores a late process with an older generation", async () => {
  await build(deps);
  await retireOthers(deps, 1);
  expect(await generations()).toEqual([{ number: 2, isLive: true }]);
  expect(await totalFound()).toBe(0);
});

it("never replaces an index that another database has left in the engine", async () => {
  await database.write("update search.live_generation set generation = 7");
  await build(deps);
  expect(await engine.liveGeneration()).toBe(8);
});

it("leaves training to the process that has begun it, until its heartbeats stop", async () => {
  await storeOffer("Moon");
  const learning = { ...deps, embedder: createBuiltinEmbedder() };
  expect(await findOutgrown(learning)).toBeDefined();
  await database.transaction((tx) =>
    beginRetraining(tx, 1, { trained: new Uint8Array(1), offers: 1 }),
  );
  expect(await findOutgrown(learning)).toBeUndefined();
  await letTimePass();
  expect(await findOutgrown(learning)).toBeDefined();
});

it("queues an offer whose text changes while the engine embeds the former text", async () => {
  await storeOffer("Moon");
  const signature = "postgres 2 m";
  const ownEmbedding = {
    model: "m",
    async embedOffers() {
      await storeOffer("Sun");
      await database.transaction((tx) =>
        queueChanged(tx, [{ signature, training: 0n }], { changed: ["a"], removed: [] }),
      );
    },
    searchByMeaning: async () => [],
  };
  const configuration = configurationOf(signature);
  await build({ ...deps, signature, configuration, engine: { ...engine, ownEmbedding } });
  const queued = await database.read("select offer_id from search.embedding_task");
  expect(queued).toEqual([{ offer_id: "a" }]);
});
