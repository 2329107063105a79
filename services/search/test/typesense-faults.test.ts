import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { lockWriters } from "@storefront/database";
import { errorInfoOf } from "@storefront/rpc";
import {
  describeOnEachMigratedDatabase,
  describeWithTypesense,
  startHttpProxy,
} from "@storefront/testkit";
import type { HttpProxy, TestDatabase, TestTypesense } from "@storefront/testkit";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createTypesenseEngine } from "../src/index.ts";
import type { Embedder } from "../src/index.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { RunningSearch, Sources } from "./support/search-fixture.ts";

describeOnEachMigratedDatabase("a search", (testDatabase) =>
  describeWithTypesense("with faults", (typesense) => defineSuite(testDatabase, typesense)),
);

const vectorsOf = async (texts: readonly unknown[]) => texts.map(() => Float32Array.of(1, 0));
const embedder: Embedder = {
  model: "test",
  dimensions: 2,
  batchSize: 10,
  embedQueries: vectorsOf,
  embedOffers: vectorsOf,
};

function defineSuite(testDatabase: TestDatabase, typesense: TestTypesense): void {
  let proxy: HttpProxy;
  let sources: Sources;
  let running: RunningSearch;
  beforeAll(async () => {
    const { url, ...address } = typesense.address();
    proxy = await startHttpProxy(url);
    sources = await startSources(testDatabase.options());
    const limits = { timeoutMs: 1_000, writeTimeoutMs: 1_000 };
    const engine = createTypesenseEngine({ ...address, ...limits, urls: [proxy.url] });
    running = await startSearch(sources, { engine, embedder });
    await write("first");
    await eventually(() => isFound("first"));
  });
  afterEach(async () => {
    await heal();
  });
  afterAll(async () => {
    await running.close();
    await sources.close();
    await proxy.stop();
  });

  const heal = async () => {
    proxy.faultOf = () => undefined;
    await proxy.listen();
  };
  const find = async () =>
    await running.search.searchOffers({ query: {}, region: "US", pageSize: 100 });
  const isFound = async (id: string) =>
    (await find().catch(() => ({ offerIds: [] as string[] }))).offerIds.includes(id);
  const write = async (id: string) =>
    await sources.ingest([{ kind: "offer", record: { id, title: `Title of ${id}` } }]);
  const reason = async () =>
    await find().then(
      () => undefined,
      (error: unknown) => errorInfoOf(error)?.reason,
    );
  const engineHealth = async () => {
    const { dependencies } = await running.health.checkHealth({});
    return dependencies.find(({ name }) => name === "typesense")?.status;
  };

  const faults: readonly (readonly [string, () => unknown])[] = [
    ["down", () => proxy.refuse()],
    ["cut off", () => (proxy.faultOf = () => "cut")],
    ["silent", () => (proxy.faultOf = () => "stalled")],
    ["lagging", () => (proxy.faultOf = () => ({ status: 503 }))],
    ["too busy", () => (proxy.faultOf = () => ({ status: 429 }))],
    ["refusing its key", () => (proxy.faultOf = () => ({ status: 401 }))],
  ];
  it("reports that the server has lost the index, and rebuilds it with its vectors", async () => {
    const well = await engineHealth();
    const ids = Array.from({ length: 40 }, (_, n) => `one of many ${n}`);
    await sources.ingest(ids.map((id) => ({ kind: "offer", record: { id } })));
    await eventually(() => isCaughtUp(sources.database));
    await typesense.empty();
    expect(await reason()).toBe(ErrorReason.DEPENDENCY_UNAVAILABLE);
    expect(await engineHealth()).not.toBe(well);
    await eventually(() => isFound("first"));
    const { matches } = await running.search.searchOffersByMeaning({ text: "anything" });
    expect(matches).not.toEqual([]);
    expect(await engineHealth()).toBe(well);
    await write("after the loss");
    await eventually(() => isFound("after the loss"));
  });

  it.each(faults)(
    "loses no write and reports the fault while the server is %s",
    async (name, begin) => {
      const well = await engineHealth();
      await begin();
      await write(`while ${name}`);
      expect(await reason()).toBe(ErrorReason.DEPENDENCY_UNAVAILABLE);
      expect(await engineHealth()).not.toBe(well);
      expect(await isCaughtUp(sources.database)).toBe(false);
      // No transaction waits for the server.
      await sources.database.transaction((tx) => lockWriters(tx, "search"));
      await heal();
      await eventually(() => isFound(`while ${name}`));
      expect(await isFound("first")).toBe(true);
      expect(await engineHealth()).toBe(well);
    },
  );

  it("reindexes without a moment of missing results, and removes its leftovers", async () => {
    const before = (await find()).totalSize;
    const totals: bigint[] = [];
    const reindexed = new AbortController();
    const asking = (async () => {
      while (!reindexed.signal.aborted) totals.push((await find()).totalSize);
    })();
    for await (const { phase } of running.index.reindex({}, { timeoutMs: 60_000 })) void phase;
    reindexed.abort();
    await asking;
    expect(totals.filter((total) => total !== before)).toEqual([]);
    const { url, apiKey, prefix } = typesense.address();
    const headers = { "x-typesense-api-key": apiKey };
    const own = async () => {
      const collections = await (await fetch(`${url}/collections`, { headers })).json();
      return (collections as { name: string }[]).filter(({ name }) => name.startsWith(prefix));
    };
    // The previous generation is dropped after the end of the reindex is stored.
    await expect.poll(own).toHaveLength(2);
  });
}
