import { migrate } from "@storefront/database";
import type { Database } from "@storefront/database";
import { generateCatalogue } from "@storefront/sample-data";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { searchService } from "../src/index.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, Sources } from "./support/search-fixture.ts";

const kills = 10;
const child = new URL("support/follow-until-killed.ts", import.meta.url).pathname;

describeOnEachMigratedDatabase(
  "a search that is killed",
  (testDatabase) => {
    let sources: Sources;
    beforeAll(async () => {
      sources = await startSources(testDatabase.options());
    });
    afterAll(() => sources.close());

    it(
      `misses, doubles and reorders nothing, ${kills} times during an import`,
      { timeout: 240_000 },
      async () => {
        const { database, urls } = sources;
        const lines: Line[] = [
          ...generateCatalogue({ offers: 60, seed: 5, now: new Date("2023-12-01") }),
        ];
        const share = Math.ceil(lines.length / kills);
        const addresses = [testDatabase.options().url, urls.catalog, urls.pricing, urls.changelog];
        const start = () => spawn(process.execPath, [child, ...addresses]);
        let next = start();
        for (let killed = 0; killed < kills; killed++) {
          const follower = next;
          const exited = once(follower, "exit");
          // The next one loads its code meanwhile, and follows when it is told to.
          next = start();
          follower.stdin.write("follow");
          await once(follower.stdout, "data");
          const ingesting = sources.ingest(lines.slice(killed * share, (killed + 1) * share));
          await sleep(Math.random() * 300);
          follower.kill("SIGKILL");
          await Promise.all([exited, ingesting]);
          await endLeases(database);
        }
        next.kill("SIGKILL");

        await followToTheEnd(sources);
        const survived = await stateOf(database);
        await database.transaction((tx) => tx.script("drop schema search cascade"));
        await migrate(database, searchService.migrations);
        await followToTheEnd(sources);
        expect(survived).toEqual(await stateOf(database));
        expect(survived[0]?.length).toBe(60);
      },
    );
  },
  ["postgres"],
);

/** Those of the killed one are over at once, so that the next one applies for all of its short life. */
async function endLeases(database: Database): Promise<void> {
  await database.write("update search.feed_lease set expires_at = clock_timestamp()");
}

async function followToTheEnd(sources: Sources): Promise<void> {
  const running = await startSearch(sources);
  await eventually(() => isCaughtUp(sources.database), { limitMs: 60_000 });
  await running.close();
}

/** What is stored and what the live index holds, without numbers that differ from build to build. */
async function stateOf(database: Database): Promise<unknown[][]> {
  const live = await database.readOne<{ generation: number }>(
    "select generation from search.live_generation",
  );
  const index = `search.g${live?.generation}`;
  const values = (column: string) => `array(
    select kind || ' ' || value from search.term
    where number = any(${column}) order by kind, value)`;
  const statements = [
    `select offer_id, ${values("terms")} as terms, ${values("facets")} as facets, release_date,
      last_modified_date, has_giveaway, first_giveaway_start, latest_giveaway_end
      from ${index}_offer order by offer_id`,
    `select offer_id, title_key, words::text from ${index}_text
      join search.offer_number using (number) order by offer_id`,
    `select * from ${index}_entry order by entry_id`,
    // Its version of the text counts what was applied together.
    "select to_jsonb(source_offer) - 'text_version' from search.source_offer order by id",
    `select offer_id, to_jsonb(price) - 'number' from search.price
      join search.offer_number using (number) order by offer_id, region`,
    "select * from search.source_giveaway order by id",
    "select feed, sequence from search.feed_cursor order by feed",
  ];
  return await Promise.all(statements.map((statement) => database.read<unknown>(statement)));
}
