import { ingestToken } from "@storefront/service-process/testing";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { FollowerService, RebuildPhase } from "@storefront/contracts/feed/v1/follower_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { createTransport } from "@storefront/rpc";
import type { ClosableTransport } from "@storefront/rpc";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { once } from "@storefront/service-process/testing/calls";
import { remove, startFixture, upsert } from "./support/changelog-fixture.ts";
import type { ChangelogFixture } from "./support/changelog-fixture.ts";
import { randomHistory } from "./support/random-history.ts";
import { corrupt, rebuiltState } from "./support/rebuild-state.ts";

describeOnEachMigratedDatabase(
  "a changelog that is rebuilt",
  (testDatabase) => {
    let fixture: ChangelogFixture;
    let withToken: ClosableTransport;
    let followers: Client<typeof FollowerService>;
    const history = randomHistory(11);
    beforeAll(async () => {
      fixture = await startFixture(testDatabase.options());
      withToken = createTransport({ baseUrl: fixture.changelogUrl, token: ingestToken });
      followers = createClient(FollowerService, withToken);
      await write(400);
      await ingestForeign();
    });
    afterAll(async () => {
      await withToken.close();
      await fixture.close();
    });

    const write = async (count: number) => {
      await fixture.ingest(Array.from({ length: count }, () => history.next().value));
      await fixture.caughtUp();
    };
    const ingestForeign = async () => {
      const timestamp = timestampFromDate(new Date(0));
      const about = { contextType: "offer", contextId: "elsewhere", namespace: "ns1" };
      const changes = [{ changeType: ChangeType.INSERT, type: "object", field: "*" }];
      const entries = [{ id: "foreign", timestamp, ...about, changes }];
      for await (const { outcomes } of fixture.foreign.ingestEntries(once({ entries }))) {
        expect(outcomes).toEqual([IngestOutcome.WRITTEN]);
      }
    };
    const rebuild = async () => {
      const phases: RebuildPhase[] = [];
      for await (const { phase } of followers.rebuild({}, { timeoutMs: 0 })) phases.push(phase);
      await fixture.caughtUp();
      return phases;
    };

    it("is restored from the log and the records, preserves foreign entries, and continues to follow", async () => {
      const before = await rebuiltState(fixture.database);
      await corrupt(fixture.database);
      expect(await rebuild()).toEqual([RebuildPhase.RECONCILING, RebuildPhase.DONE]);
      expect(await rebuiltState(fixture.database)).toEqual(before);

      const { totalSize } = await fixture.changelog.listEntries({});
      await fixture.ingest([upsert("offer", 10_000, { id: "new", namespace: "ns1", title: "n" })]);
      await fixture.caughtUp();
      expect((await fixture.changelog.listEntries({})).totalSize).toBe(totalSize + 1n);
    });

    it("returns the same lists to readers throughout", async () => {
      const read = () =>
        Promise.all([
          fixture.changelog.listEntries({ pageSize: 20 }),
          fixture.changelog.listEntries({ scope: { case: "sandboxId", value: "ns1" } }),
          fixture.changelog.listEntriesSince({ pageSize: 20 }),
        ]);
      const before = await read();
      const results: (typeof before)[] = [];
      const done = new AbortController();
      const reading = (async () => {
        while (!done.signal.aborted) results.push(await read());
      })();
      await rebuild().finally(() => done.abort());
      await reading;
      for (const result of results) expect(result).toEqual(before);
    });

    it("tolerates two rebuilds at once: both succeed, or one is aborted", async () => {
      const before = await rebuiltState(fixture.database);
      await corrupt(fixture.database);
      const ends = await Promise.allSettled([rebuild(), rebuild()]);
      expect(ends.map(({ status }) => status)).toContain("fulfilled");
      for (const end of ends) {
        if (end.status === "fulfilled") continue;
        expect(end.reason).toMatchObject({ code: Code.Aborted });
      }
      expect(await rebuiltState(fixture.database)).toEqual(before);
    });

    it("continues to follow after an aborted rebuild, which can be repeated", async () => {
      const before = await rebuiltState(fixture.database);
      await corrupt(fixture.database);
      for await (const { phase } of followers.rebuild({}, { timeoutMs: 0 })) {
        expect(phase).toBe(RebuildPhase.RECONCILING);
        break;
      }
      await fixture.ingest([upsert("offer", 20_000, { id: "b", namespace: "ns1", title: "n" })]);
      await fixture.caughtUp();
      expect((await fixture.changelog.listEntries({ contextId: "b" })).totalSize).toBe(1n);
      await rebuild();
      await fixture.ingest([remove("offer", 20_001, { id: "b" })]);
      await rebuild();
      const [entries = []] = await rebuiltState(fixture.database);
      expect(entries).toHaveLength((before[0]?.length ?? 0) + 2);
    });
  },
  ["pglite", "postgres"],
);
