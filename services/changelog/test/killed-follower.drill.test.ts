import { describeOnEachMigratedDatabase, drillsAreLong } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningServer } from "@storefront/rpc";
import type { Database } from "@storefront/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  grpc,
  ingestInto,
  openMigrated,
  remove,
  serveCatalog,
  upsert,
} from "./support/changelog-fixture.ts";
import type { Observation } from "./support/changelog-fixture.ts";
import { followToTheEnd, stateFromNothing, stateOf } from "./support/changelog-state.ts";

// Others end the search and whole imports: fifty together where drills are long.
const kills = drillsAreLong ? 34 : 12;
const child = new URL("support/follow-until-killed.ts", import.meta.url).pathname;

describeOnEachMigratedDatabase(
  "a changelog that is killed",
  (testDatabase) => {
    let database: Database;
    let server: RunningServer;
    beforeAll(async () => {
      database = await openMigrated(testDatabase.options());
      server = await serveCatalog(database);
    });
    afterAll(async () => {
      await server.close();
      await database.close();
    });

    it(
      `misses and doubles nothing, ${kills} times during a replay`,
      { timeout: 240_000 },
      async () => {
        const catalogUrl = `http://127.0.0.1:${server.port}`;
        const ingest = grpc(server);
        const observations = history(kills * 40);
        let killed = 0;
        let next = spawn(process.execPath, [child, testDatabase.options().url, catalogUrl]);
        for (; killed < kills; killed++) {
          const follower = next;
          const exited = once(follower, "exit");
          // The next one loads its code meanwhile, and follows when it is told to.
          next = spawn(process.execPath, [child, testDatabase.options().url, catalogUrl]);
          follower.stdin.write("follow");
          await once(follower.stdout, "data");
          const batch = observations.slice(killed * 40, killed * 40 + 40);
          // Small batches, so that there are many transactions to be killed in.
          const ingesting = (async () => {
            for (let at = 0; at < batch.length; at += 4) {
              await ingestInto(ingest, batch.slice(at, at + 4));
            }
          })();
          await sleep(Math.random() * 120);
          follower.kill("SIGKILL");
          await Promise.all([exited, ingesting]);
          await endLease(database);
        }
        next.kill("SIGKILL");
        await ingest.close();

        await followToTheEnd(database, catalogUrl);
        const survived = await stateOf(database);
        expect(survived).toEqual(await stateFromNothing(database, catalogUrl));
        expect(survived[0]?.length).toBeGreaterThan(kills * 30);
      },
    );
  },
  ["postgres"],
);

/** The killed one's lease is over at once, so that the next one applies for all of its short life. */
async function endLease(database: Database): Promise<void> {
  await database.write("update changelog.feed_lease set expires_at = clock_timestamp()");
}

/** Writes of every kind over a few records, which move, come and go. */
function history(count: number): Observation[] {
  const pick = (n: number, choices: number) => (n * 7919) % choices;
  return Array.from({ length: count }, (_, n) => {
    const namespace = `ns${pick(n, 5)}`;
    switch (n % 8) {
      case 0:
        return upsert("build", n, {
          id: `build${pick(n, 30)}`,
          appName: `app${pick(n, 11)}`,
          hash: `${n}`,
        });
      case 1:
      case 2:
        return upsert("item", n, {
          id: `item${pick(n, 20)}`,
          namespace,
          title: `${n}`,
          releaseInfo: [{ id: "r", appId: `app${pick(n, 11)}` }],
        });
      case 3:
        return upsert("asset", n, {
          artifactId: `app${pick(n, 11)}`,
          platform: "Windows",
          namespace,
          downloadSizeBytes: n,
        });
      case 4:
        return pick(n, 3) === 0
          ? remove("offer", n, { id: `offer${pick(n, 40)}` })
          : upsert("sandbox", n, { id: namespace, title: `${n}` });
      default:
        return upsert("offer", n, { id: `offer${pick(n, 40)}`, namespace, title: `${n}` });
    }
  });
}
