import { defaultRegion } from "@storefront/domain/regions";
import {
  describeOnEachMigratedDatabase,
  describeUnlessMissing,
  missingTypesenseProgram,
  startTypesenseCluster,
} from "@storefront/testkit";
import type { TestDatabase, TypesenseCluster } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { everything } from "../src/domain/offer-filter.ts";
import { createTypesenseEngine } from "../src/index.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { RunningSearch, Sources } from "./support/search-fixture.ts";

/** Offers that are written while there is no leader. */
const writes = 50;

describeUnlessMissing("a Typesense of three nodes", missingTypesenseProgram(), () =>
  describeOnEachMigratedDatabase("whose leader is killed", defineSuite, ["postgres"]),
);

function defineSuite(testDatabase: TestDatabase): void {
  const prefix = "cluster";
  let cluster: TypesenseCluster;
  let sources: Sources;
  let running: RunningSearch;
  beforeAll(async () => {
    cluster = await startTypesenseCluster(3);
    sources = await startSources(testDatabase.options());
    // A stopped node refuses at once; one on a busy machine is slow.
    const engine = createTypesenseEngine({ ...cluster, prefix, timeoutMs: 10_000 });
    running = await startSearch(sources, { engine });
    await write("first");
    await eventually(() => isCaughtUp(sources.database));
    // A follower that has not replicated the index yet responds that there is none.
    await untilEachNodeHas(["first"]);
  });
  afterAll(async () => {
    await running.close();
    await sources.close();
    await cluster.stop();
  });

  const write = async (id: string) =>
    await sources.ingest([{ kind: "offer", record: { id, title: `Title of ${id}` } }]);
  const found = async () => {
    const asked = { query: {}, region: "US", pageSize: 100 };
    return (await running.search.searchOffers(asked)).offerIds;
  };
  /** Resolves when each node finds exactly these offers. */
  const untilEachNodeHas = async (ids: readonly string[]) => {
    for (const url of cluster.urls) {
      const engine = createTypesenseEngine({ urls: [url], apiKey: cluster.apiKey, prefix });
      const order = { key: "relevance", isAscending: false } as const;
      const listing = { filter: everything, region: defaultRegion, nowMs: 0, order, limit: 100 };
      await vi.waitFor(
        async () => expect((await engine.listOffers(listing)).toSorted()).toEqual(ids),
        { timeout: 30_000, interval: 100 },
      );
      await engine.close();
    }
  };

  it("serves every search meanwhile, and finally has every write on each node", async () => {
    const restart = await cluster.killLeader();
    const written = new AbortController();
    const failed: unknown[] = [];
    let searches = 0;
    const searching = (async () => {
      for (; !written.signal.aborted; searches++) {
        const ids = await found().catch((error: unknown) => [String(error)]);
        if (!ids.includes("first")) failed.push(ids);
      }
    })();
    const ids = Array.from({ length: writes }, (_, n) => `written ${n}`);
    for (const id of ids) await write(id);
    await eventually(() => isCaughtUp(sources.database), { limitMs: 60_000 });
    written.abort();
    await searching;
    expect(failed).toEqual([]);
    expect(searches).toBeGreaterThan(writes);
    await restart();
    await write("after its return");
    await eventually(() => isCaughtUp(sources.database), { limitMs: 60_000 });
    const all = ["first", ...ids, "after its return"].toSorted();
    await untilEachNodeHas(all);
  });
}
