import { ingestToken } from "@storefront/service-process/testing";
import { createClient } from "@connectrpc/connect";
import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import { createTransport } from "@storefront/rpc";
import { backUpSchema, describeOnEachMigratedDatabase, restoreSchema } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startFixture, upsert } from "./support/changelog-fixture.ts";
import type { ChangelogFixture } from "./support/changelog-fixture.ts";
import { followToTheEnd, stateFromNothing, stateOf } from "./support/changelog-state.ts";
import { randomHistory } from "./support/random-history.ts";
import { rebuiltState, spoil } from "./support/rebuild-state.ts";

// Kills at any moment of a replay are drills of test/faults.
const kills = 3;
const child = new URL("support/follow-until-killed.ts", import.meta.url).pathname;

const undone = "select count(*)::int8 as count from changelog.undone_entry";
const told = `select count(*)::int8 as count from changelog.entry
  where id ~ '^catalog-[0-9a-f]{13}-[^-]*-[0-9a-f]{13}$' and context_id like 'told-%'`;

/** What shows that a rebuild of a spoilt changelog has come so far; $1: entries that it had. */
const stages = [
  "select from changelog.entry having count(*) > $1",
  "select from changelog.subject where type = 'offer' and namespace <> 'wrong' and $1 >= 0 limit 1",
  "select from changelog.subject where namespace = 'wrong' and $1 >= 0 having count(*) = 0",
];

describeOnEachMigratedDatabase(
  "a changelog that is killed",
  (testDatabase) => {
    const { used, catalogUrl, write, countOf, killOnceMore } = useKillable(testDatabase);

    it(`undoes what was lost all the same, ${kills} times`, { timeout: 120_000 }, async () => {
      const { database } = used();
      await write(300);
      await backUpSchema(database, "catalog");
      // Undone in eight transactions.
      for (let batch = 0; batch < 4; batch++) await write(1_000);
      await followToTheEnd(database, catalogUrl());
      await restoreSchema(database, "catalog");
      await write(300);
      for (let killed = 0; killed < kills; killed++) await killOnceMore(undone);
      await followToTheEnd(database, catalogUrl());
      const survived = await stateOf(database);
      expect(survived).toEqual(await stateFromNothing(database, catalogUrl()));
    });

    it(
      `tells of every record once, killed ${kills} times within a snapshot`,
      { timeout: 120_000 },
      async () => {
        const fixture = used();
        const { database } = fixture;
        const offers = (n: number, title: string) =>
          Array.from({ length: 4_000 }, (_, index) =>
            upsert("offer", n, { id: `told-${index}`, namespace: "told", title }),
          );
        await fixture.ingest(offers(1_000_000, "a"));
        await followToTheEnd(database, catalogUrl());
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
        for (let killed = 0; killed < kills; killed++) await killOnceMore(told);
        expect(await countOf(told)).toBeLessThan(4_000n);
        await followToTheEnd(database, catalogUrl());
        expect(await countOf(told)).toBe(4_000n);
      },
    );
  },
  ["postgres"],
);

describeOnEachMigratedDatabase(
  "a changelog that is killed while it is rebuilt",
  (testDatabase) => {
    const { used, write, countOf, killWhen } = useKillable(testDatabase);

    it("is made anew by the next one, wherever it was", { timeout: 120_000 }, async () => {
      const fixture = used();
      const { database, service, changelogUrl } = fixture;
      for (let batch = 0; batch < 4; batch++) await write(1_000);
      service.start();
      await fixture.caughtUp();
      const before = await rebuiltState(database);
      /** Spoils the changelog and kills a rebuild of it at a stage; false when that was not seen. */
      const isKilledAt = async (stage: string): Promise<boolean> => {
        await spoil(database);
        const spoilt = await countOf("select count(*)::int8 as count from changelog.entry");
        let isSeen = false;
        await killWhen((url) => {
          let isOver = false;
          void rebuildAt(url)
            .catch(() => undefined)
            .finally(() => (isOver = true));
          return async () => {
            isSeen = (await database.read(stage, [spoilt])).length > 0;
            return isSeen || isOver;
          };
        });
        return isSeen;
      };
      for (const stage of stages) {
        // On a busy machine it may pass between two looks.
        while (!(await isKilledAt(stage))) continue;
      }
      await rebuildAt(changelogUrl);
      await fixture.caughtUp();
      expect(await rebuiltState(database)).toEqual(before);
    });
  },
  ["postgres"],
);

/** A catalog and a changelog that follows it only in processes that are killed. */
function useKillable(testDatabase: TestDatabase) {
  let fixture: ChangelogFixture;
  const history = randomHistory(7);
  beforeAll(async () => {
    fixture = await startFixture(testDatabase.options(), { follow: false });
  });
  afterAll(() => fixture.close());

  const catalogUrl = () => `http://127.0.0.1:${fixture.catalogPort}`;
  const write = (count: number) =>
    fixture.ingest(Array.from({ length: count }, () => history.next().value));
  const countOf = async (sql: string) =>
    (await fixture.database.readOne<{ count: bigint }>(sql))?.count ?? 0n;

  /** Follows in a process of its own, and kills it when the condition is true. */
  const killWhen = async (condition: (url: string) => () => Promise<boolean>) => {
    const follower = spawn(process.execPath, [child, testDatabase.options().url, catalogUrl()]);
    const exited = once(follower, "exit");
    follower.stdin.write("follow");
    const [port] = await once(follower.stdout, "data");
    const isDue = condition(`http://127.0.0.1:${String(port).trim()}`);
    await vi.waitUntil(isDue, { timeout: 20_000, interval: 1 });
    follower.kill("SIGKILL");
    await exited;
    // The killed one's lease is over at once, so that the next one has all of its short life.
    await fixture.database.write("update changelog.feed_lease set expires_at = clock_timestamp()");
  };

  const killOnceMore = async (sql: string) => {
    const before = await countOf(sql);
    await killWhen(() => async () => (await countOf(sql)) > before);
  };
  return { used: () => fixture, catalogUrl, write, countOf, killWhen, killOnceMore };
}

async function rebuildAt(baseUrl: string): Promise<void> {
  const transport = createTransport({ baseUrl, token: ingestToken });
  const phases = createClient(FollowerService, transport).rebuild({}, { timeoutMs: 0 });
  try {
    for await (const { phase } of phases) expect(phase).toBeGreaterThan(0);
  } finally {
    await transport.close();
  }
}
