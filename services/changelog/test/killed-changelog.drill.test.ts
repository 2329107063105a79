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
import { corrupt, rebuiltState } from "./support/rebuild-state.ts";

// Kills at any moment of a replay are drills of test/faults.
const kills = 3;
const child = new URL("support/follow-until-killed.ts", import.meta.url).pathname;

const undone = "select count(*)::int8 as count from changelog.undone_entry";
const reported = `select count(*)::int8 as count from changelog.entry
  where id ~ '^catalog-[0-9a-f]{13}-[^-]*-[0-9a-f]{13}$' and context_id like 'told-%'`;

/** Each has rows once a rebuild of a corrupted changelog has reached a stage; $1: the entries before it. */
const stages = [
  "select from changelog.entry having count(*) > $1",
  "select from changelog.subject where type = 'offer' and namespace <> 'wrong' and $1 >= 0 limit 1",
  "select from changelog.subject where namespace = 'wrong' and $1 >= 0 having count(*) = 0",
];

describeOnEachMigratedDatabase(
  "a changelog that is killed",
  (testDatabase) => {
    const { used, catalogUrl, write, countOf, killAgain } = useKillable(testDatabase);

    it(`undoes the lost entries after ${kills} kills`, { timeout: 120_000 }, async () => {
      const { database } = used();
      await write(300);
      await backUpSchema(database, "catalog");
      // Undone in eight transactions.
      for (let batch = 0; batch < 4; batch++) await write(1_000);
      await followToTheEnd(database, catalogUrl());
      await restoreSchema(database, "catalog");
      await write(300);
      for (let killed = 0; killed < kills; killed++) await killAgain(undone);
      await followToTheEnd(database, catalogUrl());
      const survived = await stateOf(database);
      expect(survived).toEqual(await stateFromNothing(database, catalogUrl()));
    });

    it(
      `reports every record once after ${kills} kills within a snapshot`,
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
        for (let killed = 0; killed < kills; killed++) await killAgain(reported);
        expect(await countOf(reported)).toBeLessThan(4_000n);
        await followToTheEnd(database, catalogUrl());
        expect(await countOf(reported)).toBe(4_000n);
      },
    );
  },
  ["postgres"],
);

describeOnEachMigratedDatabase(
  "a changelog that is killed while it is rebuilt",
  (testDatabase) => {
    const { used, write, countOf, killWhen } = useKillable(testDatabase);

    it("is rebuilt by the next process, from any stage", { timeout: 120_000 }, async () => {
      const fixture = used();
      const { database, service, changelogUrl } = fixture;
      for (let batch = 0; batch < 4; batch++) await write(1_000);
      service.start();
      await fixture.caughtUp();
      const before = await rebuiltState(database);
      /** Corrupts the changelog and kills its rebuild at a stage; false when the stage was missed. */
      const isKilledAt = async (stage: string): Promise<boolean> => {
        await corrupt(database);
        const entriesBefore = await countOf("select count(*)::int8 as count from changelog.entry");
        let isSeen = false;
        await killWhen((url) => {
          let isOver = false;
          void rebuildAt(url)
            .catch(() => undefined)
            .finally(() => (isOver = true));
          return async () => {
            isSeen = (await database.read(stage, [entriesBefore])).length > 0;
            return isSeen || isOver;
          };
        });
        return isSeen;
      };
      for (const stage of stages) {
        // On a busy machine it may pass between two checks.
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

  /** Follows in a separate process, and kills it when the condition is true. */
  const killWhen = async (condition: (url: string) => () => Promise<boolean>) => {
    const follower = spawn(process.execPath, [child, testDatabase.options().url, catalogUrl()]);
    const exited = once(follower, "exit");
    follower.stdin.write("follow");
    const [port] = await once(follower.stdout, "data");
    const isDue = condition(`http://127.0.0.1:${String(port).trim()}`);
    await vi.waitUntil(isDue, { timeout: 20_000, interval: 1 });
    follower.kill("SIGKILL");
    await exited;
    // Expires the lease at once, so that the next process does not wait for it.
    await fixture.database.write("update changelog.feed_lease set expires_at = clock_timestamp()");
  };

  const killAgain = async (sql: string) => {
    const before = await countOf(sql);
    await killWhen(() => async () => (await countOf(sql)) > before);
  };
  return { used: () => fixture, catalogUrl, write, countOf, killWhen, killAgain };
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
