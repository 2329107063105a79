import { migrate } from "@storefront/database";
import { generateCatalogue } from "@storefront/sample-data";
import { backUpSchema, describeOnEachMigratedDatabase, restoreSchema } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { searchService } from "../src/index.ts";
import { pricesCursor } from "../src/store/price-store.ts";
import { eventually, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

/** Everything that search holds but for its own numbers, and what the live generation holds. */
const stateStatements = [
  "select id, namespace, item_ids, technologies, record from search.source_offer order by id",
  "select id, namespace, is_executable, app_ids from search.source_item order by id",
  "select id, app_name, updated_at_ms, technologies from search.source_build order by id",
  "select id, offer_id, start_ms, end_ms from search.source_giveaway order by id",
  "select id, timestamp_ms, context_type, context_id, words from search.source_entry order by id",
  `select offer_id, region, original, discounted, is_lowest, lowest_since, lowest, floor
    from search.price join search.offer_number using (number) where lowest is not null order by offer_id, region`,
];

describeOnEachMigratedDatabase(
  "a search whose owners were put back to a backup",
  (testDatabase) => {
    let sources: Sources;
    let running: RunningSearch;
    beforeAll(async () => {
      sources = await startSources(testDatabase.options());
      running = await startSearch(sources);
    });
    afterAll(async () => {
      await running.close();
      await sources.close();
    });

    const agreed = async () => {
      await eventually(() => areAllAtTheEnd(sources), { limitMs: 60_000 });
    };
    const stateOf = async () => {
      const state: unknown[] = [];
      for (const each of stateStatements) state.push(await sources.database.read(each));
      const { offerIds } = await running.search.searchOffers({
        query: {},
        region: "US",
        pageSize: 100,
      });
      const entries = await running.search.searchEntries({ text: "", pageSize: 100 });
      return [...state, offerIds, entries.entryIds, entries.totalSize];
    };

    it("equals one that has read every log from its beginning", async () => {
      const lines: Line[] = [
        ...generateCatalogue({ offers: 40, seed: 3, now: new Date("2023-12-01") }),
      ];
      const third = Math.floor(lines.length / 3);
      await sources.ingest(lines.slice(0, third));
      // Its lowest stays on record, and so does that of one that is gone.
      await sources.ingest([price("kept", 300), price("kept", 500), price("gone", 200)]);
      await sources.ingest([{ ...price("gone", 200), op: "delete" }]);
      for (const owner of ["catalog", "pricing"]) await backUpSchema(sources.database, owner);
      await sources.ingest(lines.slice(third, third * 2));
      await sources.ingest([
        { kind: "offer", record: { id: "lost", namespace: "ns", title: "Lost Lagoon" } },
        { kind: "giveaway", record: { id: "lost", offerId: "lost" } },
        ...["kept", "gone", "lost"].map((offerId) => price(offerId, 100)),
      ]);
      await agreed();
      expect((await running.search.searchEntries({ text: "lagoon" })).totalSize).toBe(1n);
      for (const owner of ["catalog", "pricing"]) await restoreSchema(sources.database, owner);
      await sources.ingest(lines.slice(third * 2));
      await agreed();
      const survived = await stateOf();
      expect((await running.search.searchEntries({ text: "lagoon" })).totalSize).toBe(0n);

      await running.close();
      await sources.database.transaction((tx) => tx.script("drop schema search cascade"));
      await migrate(sources.database, searchService.migrations);
      running = await startSearch(sources);
      await agreed();
      expect(survived).toEqual(await stateOf());
    }, 120_000);
  },
  ["pglite", "postgres"],
);

function price(offerId: string, discountPrice: number): Line {
  const amounts = { currencyCode: "USD", originalPrice: 900, discountPrice };
  return { kind: "price", record: { offerId, region: "US", price: amounts } };
}

/** Logs and the kinds of them that are followed. */
const logs = {
  catalog: "select seq, committed_at from catalog.change_log where kind <> 'ranking'",
  pricing: "select seq, committed_at from pricing.change_log",
  changelog: `select position as seq, committed_at from changelog.entry
    union all select position, committed_at from changelog.undone_entry`,
};

/**
 * Whether changelog and search stand at the end of every log as it is now, no snapshot is under way, and an index answers.
 */
async function areAllAtTheEnd({ database }: Sources): Promise<boolean> {
  const followed = [
    ["changelog", "catalog", "catalog"],
    ["search", "catalog", "catalog"],
    ["search", "pricing", pricesCursor],
    ["search", "changelog", "changelog"],
  ] as const;
  for (const [follower, feed, cursor] of followed) {
    const place = await database.readOne<{ identity: string | null; us: bigint; is_end: boolean }>(
      `with log as (${logs[feed]})
        select cursor.identity, (extract(epoch from log.committed_at) * 1000000)::int8 as us,
          not exists (select from log as later where later.seq > cursor.sequence) as is_end
        from ${follower}.feed_cursor as cursor join log on log.seq = cursor.sequence
        where cursor.feed = $1`,
      [cursor],
    );
    if (place?.is_end !== true || place.identity !== place.us.toString(36)) return false;
  }
  const live = await database.read("select from search.generation where is_live");
  const underWay = await database.read("select from search.snapshot_progress");
  return live.length > 0 && underWay.length === 0;
}
