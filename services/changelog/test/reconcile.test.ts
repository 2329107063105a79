import { silentLogger } from "@storefront/service-process/testing";
import { createClient } from "@connectrpc/connect";
import { beginningOfLog, SnapshotProgressStore } from "@storefront/change-feed";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { createTransport } from "@storefront/rpc";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { reconcileChangelog } from "../src/resynchronise/resynchronise-changelog.ts";
import { brief, remove, startFixture, upsert } from "./support/changelog-fixture.ts";
import type { ChangelogFixture, Observation } from "./support/changelog-fixture.ts";
import { followToTheEnd } from "./support/changelog-state.ts";

describeOnEachMigratedDatabase(
  "a changelog that is reconciled with a snapshot of the catalog",
  (testDatabase) => {
    let fixture: ChangelogFixture;
    beforeAll(async () => {
      fixture = await startFixture(testDatabase.options(), { follow: false });
    });
    afterAll(() => fixture.close());

    const offer = (id: string, n: number, title: string) =>
      upsert("offer", n, { id, namespace: "ns", title, description: "" });
    const reported = async () => {
      const page = async (number: number) =>
        (await fixture.changelog.listEntriesSince({ page: number, pageSize: 50 })).entries;
      const pages = await Promise.all(Array.from({ length: 20 }, (_, index) => page(index + 1)));
      return pages.flat().map(brief);
    };
    const follow = async () => {
      await followToTheEnd(fixture.database, `http://127.0.0.1:${fixture.catalogPort}`);
    };

    /** @param meanwhile writes while the snapshot is read */
    async function reconcile(meanwhile: readonly Observation[] = []): Promise<void> {
      const { database, catalogPort } = fixture;
      const baseUrl = `http://127.0.0.1:${catalogPort}`;
      const transport = createTransport({ baseUrl });
      let transactions = 0;
      const target = await reconcileChangelog({
        feed: "catalog",
        client: createClient(FeedService, transport),
        reason: "pruned",
        position: beginningOfLog,
        signal: new AbortController().signal,
        logger: silentLogger,
        async transaction(work) {
          // It stores the first page, while the second is read.
          if (++transactions === 1 && meanwhile.length > 0) await fixture.ingest(meanwhile);
          return await database.transaction(work);
        },
        noteRecords: () => Promise.resolve(),
        snapshots: new SnapshotProgressStore("changelog", "catalog"),
      });
      await database.write(
        "update changelog.feed_cursor set sequence = $1, identity = $2, identity_sequence = $1",
        [target.sequence, target.identity],
      );
      await transport.close();
      await follow();
    }

    it("reports each new, changed and deleted record once, and none that was only observed again", async () => {
      await fixture.ingest([
        offer("same", 1, "a"),
        offer("changed", 1, "a"),
        offer("gone", 1, "a"),
        offer("seen", 1, "a"),
        offer("gone before", 1, "a"),
        remove("offer", 2, { id: "gone before" }),
      ]);
      await follow();
      await fixture.ingest([
        offer("changed", 5, "b"),
        remove("offer", 5, { id: "gone" }),
        offer("new", 5, "a"),
        offer("seen", 9, "a"),
      ]);
      await reconcile();
      await reconcile();
      expect((await reported()).slice(6).toSorted()).toEqual([
        "offer changed ~*",
        "offer gone -*",
        "offer new +*",
      ]);
      const { totalSize } = await fixture.changelog.listEntries({
        scope: { case: "sandboxId", value: "ns" },
      });
      expect(totalSize).toBe(9n);
    });

    it("is reconciled automatically when the log no longer has the next writes", async () => {
      await fixture.ingest([offer("p1", 10, "a"), offer("p2", 10, "a")]);
      await follow();
      const before = (await reported()).length;
      await fixture.ingest([offer("p1", 11, "b"), remove("offer", 11, { id: "p2" })]);
      await fixture.database.transaction((tx) =>
        tx.script(`
          insert into catalog.log_start (sequence, committed_at, began_at)
          select max(seq), max(committed_at), min(committed_at) from catalog.change_log;
          delete from catalog.change_log`),
      );
      await fixture.ingest([offer("p1", 12, "c")]);
      await follow();
      await fixture.ingest([offer("p1", 13, "d")]);
      await follow();
      expect((await reported()).slice(before).toSorted()).toEqual([
        "offer p1 ~*",
        "offer p1 ~title",
        "offer p2 -*",
      ]);
    });

    it("leaves writes during the snapshot to the log", async () => {
      // Two pages, so that the last records are read after the first are stored.
      const many = Array.from({ length: 620 }, (_, n) =>
        offer(`a${String(n).padStart(3, "0")}`, 10, "a"),
      );
      const last = ["z1", "z2", "z3"].map((id) => offer(id, 10, "a"));
      for (let at = 0; at < many.length; at += 50) await fixture.ingest(many.slice(at, at + 50));
      await fixture.ingest(last);
      await follow();
      const before = (await reported()).length;
      await fixture.ingest([offer("z1", 20, "unseen")]);
      await reconcile([
        offer("z2", 30, "b"),
        remove("offer", 30, { id: "z3" }),
        offer("z4", 30, "a"),
        offer("z4", 31, "b"),
      ]);
      expect((await reported()).slice(before).toSorted()).toEqual([
        "offer z1 ~*",
        "offer z2 ~title",
        "offer z3 -*",
        "offer z4 +*",
        "offer z4 ~title",
      ]);
    });
  },
  ["pglite", "postgres"],
);
