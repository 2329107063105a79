import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { describeWithTypesense, memoryDatabase, startHttpProxy } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { everything } from "../src/domain/offer-filter.ts";
import { createTypesenseEngine } from "../src/index.ts";
import type { PagePosition } from "../src/engine/offer-search.ts";
import type { SearchEngine } from "../src/index.ts";
import { offerOf } from "./support/offer-of.ts";

const ids = Array.from({ length: 600 }, (_, index) => `offer ${index}`);

describeWithTypesense("long lists", (typesense) => {
  let database: Database;
  let writer: SearchEngine;
  beforeAll(async () => {
    database = await openDatabase(await memoryDatabase("schemas"));
    writer = createTypesenseEngine(typesense.address());
    await writer.createGeneration(1, { dimensions: undefined });
    await writeAll();
    await database.transaction((tx) => writer.activate(tx, 1));
    // Creates the key for searches.
    await list(writer);
  });
  afterAll(async () => {
    await writer.close();
    await database.close();
  });

  const write = async (changed: readonly (readonly [id: string, creationDateMs: number])[]) => {
    const offers = changed.map(([id, creationDateMs]) => offerOf(id, { creationDateMs }));
    await database.transaction((tx) => writer.write(tx, 1, { offers }));
  };

  const writeAll = async () => await write(ids.map((id, index) => [id, index]));

  /** Lists all offers, oldest first. */
  const list = async (engine: SearchEngine) => {
    const order = { key: "creationDate", isAscending: true } as const;
    const selection = { filter: everything, region: defaultRegion, nowMs: 0 };
    return await engine.listOffers({ ...selection, order, limit: 10_000 });
  };

  /** An engine with a write before each of this many searches, not before the first one. */
  async function disturbedEngine(searches: number, disturb: () => Promise<void>) {
    const { url, ...address } = typesense.address();
    const proxy = await startHttpProxy(url);
    let seen = 0;
    proxy.faultOf = async ({ path }) => {
      if (path.startsWith("/multi_search") && seen++ > 0 && seen <= searches + 1) await disturb();
      return undefined;
    };
    const engine = createTypesenseEngine({ ...address, urls: [proxy.url] });
    onTestFinished(async () => {
      await engine.close();
      await proxy.stop();
    });
    return engine;
  }

  it("lists an offer that moves from one page to another while they are read", async () => {
    let moved = 0;
    const engine = await disturbedEngine(1, async () => {
      // The last offer becomes the first, which moves each of the others by one.
      await write([["offer 599", --moved]]);
    });
    expect(await list(engine)).toEqual(["offer 599", ...ids.slice(0, -1)]);
  });

  it("finds the page after a cursor, however many offers before it were deleted", async () => {
    const search = (after?: PagePosition) =>
      writer.searchOffers({
        filter: everything,
        order: { key: "creationDate", isAscending: true },
        region: defaultRegion,
        nowMs: 0,
        offset: after === undefined ? 280 : 0,
        limit: 20,
        aggregations: [],
        after,
      });
    await writeAll();
    const { end } = await search();
    expect(end?.offset).toBe(299);
    onTestFinished(writeAll);
    for (let gone = 0; gone < 250; gone += 10) {
      const offerIds = ids.slice(gone, gone + 10);
      await database.transaction((tx) => writer.write(tx, 1, { removedOffers: offerIds }));
      expect((await search(end)).offerIds).toEqual(ids.slice(300, 320));
    }
  });

  it("returns no counts of a facet that an index of an earlier release lacks", async () => {
    const { url, apiKey, prefix } = typesense.address();
    const change = async (field: object) =>
      await fetch(`${url}/collections/${prefix}_offers_1`, {
        method: "PATCH",
        headers: { "X-TYPESENSE-API-KEY": apiKey },
        body: JSON.stringify({ fields: [field] }),
      });
    expect((await change({ name: "seller_label", drop: true })).status).toBe(200);
    const { total, aggregations } = await writer.searchOffers({
      filter: everything,
      order: { key: "creationDate", isAscending: true },
      region: defaultRegion,
      nowMs: 0,
      offset: 0,
      limit: 1,
      aggregations: ["sellers"],
    });
    expect([total, aggregations.sellers]).toEqual([ids.length, []]);
  });

  it("rejects while no two lists in a row are equal", async () => {
    let moved = 0;
    const engine = await disturbedEngine(100, async () => {
      moved += 1;
      await write([[`offer ${moved}`, -moved]]);
    });
    await expect(list(engine)).rejects.toThrow("typesense cannot be reached");
  });
});
