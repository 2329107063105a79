import { createClient } from "@connectrpc/connect";
import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import { createTransport } from "@storefront/rpc";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ingestToken, startFixture } from "./support/changelog-fixture.ts";
import type { ChangelogFixture } from "./support/changelog-fixture.ts";
import { randomHistory } from "./support/random-history.ts";
import { rebuiltState, spoil } from "./support/rebuild-state.ts";

const child = new URL("support/follow-until-killed.ts", import.meta.url).pathname;

/** What shows that a rebuild of a spoilt changelog has come so far. */
const stages = [
  "select from changelog.entry having count(*) > $1",
  "select from changelog.subject where type = 'offer' and namespace <> 'wrong' and $1 >= 0 limit 1",
  "select from changelog.subject where namespace = 'wrong' and $1 >= 0 having count(*) = 0",
];

describeOnEachMigratedDatabase(
  "a changelog that is killed while it is rebuilt",
  (testDatabase) => {
    let fixture: ChangelogFixture;
    beforeAll(async () => {
      fixture = await startFixture(testDatabase.options(), { follow: false });
    });
    afterAll(() => fixture.close());

    const rebuildAt = async (baseUrl: string) => {
      const transport = createTransport({ baseUrl, token: ingestToken });
      const phases = createClient(FollowerService, transport).rebuild({}, { timeoutMs: 0 });
      try {
        for await (const { phase } of phases) expect(phase).toBeGreaterThan(0);
      } finally {
        await transport.close();
      }
    };

    /** Spoils the changelog and kills who rebuilds it at a stage; false when that was not seen. */
    const isKilledAt = async (stage: string): Promise<boolean> => {
      const { database, catalogPort } = fixture;
      await spoil(database);
      const spoilt = await database.readOne<{ count: bigint }>(
        "select count(*)::int8 as count from changelog.entry",
      );
      const parameters = [child, testDatabase.options().url, `http://127.0.0.1:${catalogPort}`];
      const replica = spawn(process.execPath, parameters);
      const exited = once(replica, "exit");
      replica.stdin.write("follow");
      const [port] = await once(replica.stdout, "data");
      let isOver = false;
      const rebuild = async () => {
        await Promise.allSettled([rebuildAt(`http://127.0.0.1:${String(port).trim()}`)]);
        isOver = true;
      };
      const over = rebuild();
      let isSeen = false;
      const look = async () => {
        isSeen = (await database.read(stage, [spoilt?.count])).length > 0;
        return isSeen || isOver;
      };
      await vi.waitUntil(look, { timeout: 20_000, interval: 1 });
      replica.kill("SIGKILL");
      await Promise.all([exited, over]);
      return isSeen;
    };

    it("is made anew by the next one, wherever it was", { timeout: 120_000 }, async () => {
      const { database, service } = fixture;
      const history = randomHistory(17);
      for (let batch = 0; batch < 4; batch++) {
        await fixture.ingest(Array.from({ length: 1_000 }, () => history.next().value));
      }
      service.start();
      await fixture.caughtUp();
      const before = await rebuiltState(database);
      for (const stage of stages) {
        // On a busy machine it may pass between two looks.
        while (!(await isKilledAt(stage))) continue;
      }
      await rebuildAt(fixture.changelogUrl);
      await fixture.caughtUp();
      expect(await rebuiltState(database)).toEqual(before);
    });
  },
  ["postgres"],
);
