import { backUpSchema, describeOnEachMigratedDatabase, restoreSchema } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startFixture, upsert } from "./support/changelog-fixture.ts";
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

    /** Follows in a process that is killed as soon as the number is greater. */
    const killOnceMore = async (count: () => Promise<bigint>) => {
      const { database, catalogPort } = fixture;
      const before = await count();
      const parameters = [child, testDatabase.options().url, `http://127.0.0.1:${catalogPort}`];
      const follower = spawn(process.execPath, parameters);
      const exited = once(follower, "exit");
      follower.stdin.write("follow");
      await once(follower.stdout, "data");
      await vi.waitUntil(async () => (await count()) > before, { timeout: 20_000, interval: 2 });
      follower.kill("SIGKILL");
      await exited;
      // The killed one's lease is over at once, so that the next one has all of its short life.
      await database.write("update changelog.feed_lease set expires_at = clock_timestamp()");
    };

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
      for (let killed = 0; killed < kills; killed++) await killOnceMore(countUndone);
      await followToTheEnd(database, catalogUrl);
      const survived = await stateOf(database);
      expect(survived).toEqual(await stateFromNothing(database, catalogUrl));
    });

    it(
      `tells of every record once, killed ${kills} times within a snapshot`,
      { timeout: 120_000 },
      async () => {
        const { database, catalogPort } = fixture;
        const catalogUrl = `http://127.0.0.1:${catalogPort}`;
        const offers = (n: number, title: string) =>
          Array.from({ length: 4_000 }, (_, index) =>
            upsert("offer", n, { id: `told-${index}`, namespace: "told", title }),
          );
        await fixture.ingest(offers(1_000_000, "a"));
        await followToTheEnd(database, catalogUrl);
        await fixture.ingest(offers(1_000_001, "b"));
        await database.transaction((tx) =>
          tx.script(`
          insert into catalog.log_start (sequence, committed_at, began_at)
          select max(seq), max(committed_at), min(committed_at) from catalog.change_log;
          delete from catalog.change_log`),
        );
        await fixture.ingest([
          upsert("offer", 1_000_002, { id: "told-1", namespace: "told", title: "c" }),
        ]);
        const countTold = async () =>
          (
            await database.readOne<{ count: bigint }>(
              `select count(*)::int8 as count from changelog.entry
              where id ~ '^catalog-[0-9a-f]{13}-[^-]*-[0-9a-f]{13}$' and context_id like 'told-%'`,
            )
          )?.count ?? 0n;
        for (let killed = 0; killed < kills; killed++) await killOnceMore(countTold);
        expect(await countTold()).toBeLessThan(4_000n);
        await followToTheEnd(database, catalogUrl);
        expect(await countTold()).toBe(4_000n);
      },
    );
  },
  ["postgres"],
);
