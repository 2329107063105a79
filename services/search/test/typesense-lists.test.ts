import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { describeWithTypesense, memoryDatabase, startHttpProxy } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { everything } from "../src/domain/offer-filter.ts";
import { createTypesenseEngine } from "../src/index.ts";
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
    await write(ids.map((id, index) => [id, index]));
    await database.transaction((tx) => writer.activate(tx, 1));
    // Makes the key for searches.
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

  /** Lists all offers, oldest first. */
  const list = async (engine: SearchEngine) => {
    const order = { key: "creationDate", isAscending: true } as const;
    const selection = { filter: everything, region: defaultRegion, nowMs: 0 };
    return await engine.listOffers({ ...selection, order, limit: 10_000 });
  };

  /** An engine of whose searches so many, but for the first, are each preceded by a write. */
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

  it("lists an offer that has slipped from one page to another while they were read", async () => {
    let moved = 0;
    const engine = await disturbedEngine(1, async () => {
      // The last of all becomes the first: each of the others is one further, as after the end of a write.
      await write([["offer 599", --moved]]);
    });
    expect(await list(engine)).toEqual(["offer 599", ...ids.slice(0, -1)]);
  });

  it("lists nothing while no two lists in a row are the same", async () => {
    let moved = 0;
    const engine = await disturbedEngine(100, async () => {
      moved += 1;
      await write([[`offer ${moved}`, -moved]]);
    });
    await expect(list(engine)).rejects.toThrow("typesense cannot be reached");
  });
});
