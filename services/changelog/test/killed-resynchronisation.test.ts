import { backUpSchema, describeOnEachMigratedDatabase, restoreSchema } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startFixture } from "./support/changelog-fixture.ts";
import type { ChangelogFixture } from "./support/changelog-fixture.ts";
import { followToTheEnd, stateFromNothing, stateOf } from "./support/changelog-state.ts";
import { randomHistory } from "./support/random-history.ts";

const kills = 3;
const child = new URL("support/follow-until-killed.ts", import.meta.url).pathname;

describeOnEachMigratedDatabase(
  "a changelog that is killed while it resynchronises",
  (testDatabase) => {
    let fixture: ChangelogFixture;
    beforeAll(async () => {
      fixture = await startFixture(testDatabase.options(), { follow: false });
    });
    afterAll(() => fixture.close());

    const countUndone = async () =>
      (
        await fixture.database.readOne<{ count: bigint }>(
          "select count(*)::int8 as count from changelog.undone_entry",
        )
      )?.count ?? 0n;

    it(`undoes what was lost all the same, ${kills} times`, { timeout: 120_000 }, async () => {
      const { database, catalogPort } = fixture;
      const catalogUrl = `http://127.0.0.1:${catalogPort}`;
      const history = randomHistory(7);
      const write = async (count: number) => {
        await fixture.ingest(Array.from({ length: count }, () => history.next().value));
      };
      await write(300);
      await backUpSchema(database, "catalog");
      // Undone in eight transactions.
      for (let batch = 0; batch < 4; batch++) await write(1_000);
      await followToTheEnd(database, catalogUrl);
      await restoreSchema(database, "catalog");
      await write(300);
      for (let killed = 0; killed < kills; killed++) {
        const follower = spawn(process.execPath, [child, testDatabase.options().url, catalogUrl]);
        const exited = once(follower, "exit");
        follower.stdin.write("follow");
        await once(follower.stdout, "data");
        const before = await countUndone();
        await vi.waitUntil(async () => (await countUndone()) > before, {
          timeout: 20_000,
          interval: 2,
        });
        follower.kill("SIGKILL");
        await exited;
        // The killed one's lease is over at once, so that the next one has all of its short life.
        await database.write("update changelog.feed_lease set expires_at = clock_timestamp()");
      }
      await followToTheEnd(database, catalogUrl);
      const survived = await stateOf(database);
      expect(survived).toEqual(await stateFromNothing(database, catalogUrl));
    });
  },
  ["postgres"],
);
