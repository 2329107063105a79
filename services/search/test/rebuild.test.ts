import { Code, createClient } from "@connectrpc/connect";
import { FollowerService, RebuildPhase } from "@storefront/contracts/feed/v1/follower_service";
import { generateCatalogue } from "@storefront/sample-data";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

const stateStatements = [
  "select id, namespace, item_ids, technologies, record from search.source_offer order by id",
  "select id, namespace, is_executable, app_ids from search.source_item order by id",
  `select offer_id, region, original, discounted, is_lowest, lowest_since, lowest, floor
    from search.price join search.offer_number using (number) where lowest is not null order by offer_id, region`,
  "select id, words from search.source_entry order by id",
];

describeOnEachMigratedDatabase(
  "a search that is rebuilt",
  (testDatabase) => {
    let sources: Sources;
    let running: RunningSearch;
    beforeAll(async () => {
      sources = await startSources(testDatabase.options());
      running = await startSearch(sources);
      const lines: Line[] = [
        ...generateCatalogue({ offers: 20, seed: 4, now: new Date("2023-12-01") }),
      ];
      await sources.ingest(lines);
      await eventually(() => isCaughtUp(sources.database), { limitMs: 60_000 });
    });
    afterAll(async () => {
      await running.close();
      await sources.close();
    });

    const stateOf = () =>
      Promise.all(stateStatements.map((statement) => sources.database.read(statement)));
    const found = async () =>
      (await running.search.searchOffers({ query: {}, region: "US", pageSize: 100 })).offerIds;

    /** Deletes prices, an offer, and the applications of items. */
    const corrupt = async () => {
      await sources.database.transaction(async (tx) => {
        await tx.write("delete from search.price");
        await tx.write(
          "delete from search.source_offer where id in (select min(id) from search.source_offer)",
        );
        await tx.write("update search.source_item set app_ids = '{}'");
      });
    };
    const rebuild = async (onPhase: (phase: RebuildPhase) => Promise<void>) => {
      const client = createClient(FollowerService, running.withToken);
      for await (const { phase } of client.rebuild({}, { timeoutMs: 0 })) await onPhase(phase);
    };

    it("restores lost records from their owners, and serves searches meanwhile", async () => {
      const [before, results] = [await stateOf(), await found()];
      await corrupt();
      expect(await stateOf()).not.toEqual(before);
      const phases = new Set<RebuildPhase>();
      await rebuild(async (phase) => {
        phases.add(phase);
        expect((await found()).length).toBeGreaterThan(0);
      });
      const { RECONCILING, INDEXING, DONE } = RebuildPhase;
      expect([...phases]).toEqual([RECONCILING, INDEXING, DONE]);
      expect(await stateOf()).toEqual(before);
      expect(await found()).toEqual(results);
    });

    it("tolerates two at once, and an abort with a repetition", async () => {
      const [before, results] = [await stateOf(), await found()];
      await corrupt();
      const aborting = rebuild(() => Promise.reject(new Error("aborted")));
      await expect(aborting).rejects.toThrow("aborted");
      const nothing = () => Promise.resolve();
      const ends = await Promise.allSettled([rebuild(nothing), rebuild(nothing)]);
      const refusals = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
      for (const reason of refusals) expect(reason).toMatchObject({ code: Code.Aborted });
      await rebuild(nothing);
      expect(await stateOf()).toEqual(before);
      expect(await found()).toEqual(results);
    });
  },
  ["pglite", "postgres"],
);
