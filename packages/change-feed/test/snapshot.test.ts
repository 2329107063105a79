import { Code, createClient, createRouterTransport } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { lockWriters } from "@storefront/database";
import type { Transaction } from "@storefront/database";
import { createMetrics } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { appendToLog, FeedMetrics } from "../src/index.ts";
import type { FollowOptions, KeyRange } from "../src/index.ts";
import { readPage } from "../src/follower/snapshot-page.ts";
import { append, names, sandboxEntry } from "./support/feed-fixture.ts";
import { patience, ServedFeed } from "./support/served-feed.ts";

/** More than three pages, whatever their size is. */
const ids = names("a", 1_000).toSorted();
const unbroken = new AbortController().signal;

describeOnEachDatabase(
  "a follower that takes a snapshot",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);
    /** Keys after which the owner was asked for a page. */
    let asked: string[];
    beforeAll(() =>
      feed.database.transaction((tx) =>
        tx.script(
          `create table consumer.held (id text collate "C" primary key, title text not null, taker text not null)`,
        ),
      ),
    );
    beforeEach(async () => {
      await feed.database.write("truncate consumer.held");
      asked = [];
      feed.onRead = async (after) => void asked.push(after);
    });

    /** Follows a log that has lost where the follower was, unless another one has begun. */
    async function follow(name = "first", options: Partial<FollowOptions> = {}) {
      await feed.database.write(
        `insert into consumer.feed_cursor (feed, sequence, identity, identity_sequence)
          values ('owner', 1000000, 'lost', 1000000) on conflict (feed) do nothing`,
      );
      const metrics = createMetrics({ service: "test" });
      const store = (tx: Transaction, entries: readonly FeedEntry[]) =>
        storeHeld(tx, entries, name);
      const follower = feed.follow({
        apply: store,
        snapshot: { kinds: ["nothing", "sandbox"], reconcile: store, storedKeys: heldOf },
        metrics: new FeedMetrics(metrics),
        leaseMs: 3_600_000,
        ...options,
      });
      return { follower, page: () => metrics.metrics() };
    }

    const writeAll = (keys: readonly string[] = ids) =>
      append(
        feed.database,
        keys.map((id) => sandboxEntry(id)),
      );
    const write = (id: string, title: string) =>
      append(feed.database, [sandboxEntry(id, "sandbox", title)]);
    const remove = (id: string) =>
      feed.database.transaction(async (tx) => {
        await lockWriters(tx, "owner");
        await appendToLog(tx, "owner", [{ ...sandboxEntry(id), record: undefined }]);
      });
    const held = async () => {
      const rows = await feed.database.read<{ id: string; title: string }>(
        "select id, title from consumer.held order by id",
      );
      return new Map(rows.map(({ id, title }) => [id, title]));
    };
    const isUnderWay = async () =>
      (await feed.database.read("select from consumer.snapshot_progress")).length > 0;
    const untilDone = async () => {
      const isLost = async () =>
        (await feed.database.read("select from consumer.feed_cursor where identity = 'lost'"))
          .length > 0;
      await expect.poll(async () => (await isLost()) || (await isUnderWay()), patience).toBe(false);
    };
    /** Takes some pages, then waits with the next for ever, or until `go`. */
    function stopAfter(pages: number) {
      const stopped = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      const taken = new Set<string>();
      feed.onRead = async (after) => {
        asked.push(after);
        if (after !== "") taken.add(after);
        if (taken.size < pages) return;
        stopped.resolve();
        await go.promise;
      };
      return { stopped: stopped.promise, go: go.resolve };
    }
    const begunOnce = (page: string) =>
      expect(page).toMatch(/feed_resynchronisations_total\{.*reason="diverged".*\} 1/);

    it("goes on where one was that ended, and asks for no page again that was applied", async () => {
      await writeAll();
      const { stopped, go } = stopAfter(2);
      const { follower } = await follow();
      await stopped;
      const ended = follower.close();
      go();
      await ended;
      expect(await isUnderWay()).toBe(true);
      expect((await held()).size).toBeGreaterThan(0);
      asked = [];
      feed.onRead = async (after) => void asked.push(after);
      await follow("second");
      await untilDone();
      expect([...(await held()).keys()]).toEqual(ids);
      expect(asked).not.toContain("");
    });

    it("goes on in another process when it loses the lease, and writes nothing any more itself", async () => {
      await writeAll();
      const { stopped, go } = stopAfter(2);
      await follow();
      await stopped;
      const takers = () =>
        feed.database.read("select taker, count(*)::int4 from consumer.held group by taker");
      feed.onRead = async (after) => void asked.push(after);
      await feed.database.write(
        "update consumer.feed_lease set holder = 'gone', expires_at = clock_timestamp()",
      );
      asked = [];
      await follow("second");
      await untilDone();
      const atEnd = await takers();
      go();
      await write("z", "z");
      await expect.poll(async () => (await held()).get("z"), patience).toBe("z");
      expect((await held()).size).toBe(ids.length + 1);
      expect(asked).not.toContain("");
      expect(atEnd).toHaveLength(2);
    });

    it("shows what is written before the snapshot ends, and says that it is under way", async () => {
      await writeAll();
      const { stopped, go } = stopAfter(2);
      const { follower, page } = await follow();
      await stopped;
      await write("a0", "changed");
      await write("z", "new");
      await expect.poll(async () => (await held()).get("z"), patience).toBe("new");
      expect((await held()).get("a0")).toBe("changed");
      expect(await isUnderWay()).toBe(true);
      expect(await page()).toMatch(/feed_resynchronising\{feed="owner".*\} 1/);
      expect((await follower.describe()).snapshotRecords).toBeGreaterThan(0);
      await expect(follower.probe()).resolves.toMatchObject({ lagEntries: 0n });
      go();
      await untilDone();
      expect((await held()).size).toBe(ids.length + 1);
      expect((await held()).get("a0")).toBe("changed");
      begunOnce(await page());
      await expect.poll(page, patience).toMatch(/feed_resynchronising\{feed="owner".*\} 0/);
    });

    it("keeps what the log told between the read of a page and its application", async () => {
      await writeAll();
      let isWritten = false;
      let [first = "", second = "", third = ""] = ids;
      feed.onRead = async (after) => {
        if (isWritten || after === "") return;
        isWritten = true;
        const next = ids.indexOf(after) + 1;
        [first = "", second = "", third = ""] = ids.slice(next, next + 3);
        await write(first, "newer");
        await remove(second);
        await write(`${third}-beside`, "between");
        await expect
          .poll(async () => (await held()).get(`${third}-beside`), patience)
          .toBe("between");
      };
      await follow();
      await untilDone();
      expect(isWritten).toBe(true);
      const end = await held();
      expect([end.get(first), end.get(second), end.get(`${third}-beside`)]).toEqual([
        "newer",
        undefined,
        "between",
      ]);
      expect(end.size).toBe(ids.length);
    });

    it("removes what the owner does not have, wherever and however much that is", async () => {
      await writeAll();
      await feed.database.write(
        `insert into consumer.held select prefix || n, 'lost', 'none'
          from unnest(array['0', 'a5', 'b']) as prefix, generate_series(10000, 16000) as n`,
      );
      await follow();
      await untilDone();
      expect([...(await held()).keys()]).toEqual(ids);
    });

    it("is begun by command, and goes on without it after that has broken off", async () => {
      await writeAll();
      const { follower } = await follow();
      await untilDone();
      await spoil();
      const { stopped, go } = stopAfter(2);
      const breaking = new AbortController();
      const ended = Promise.allSettled([follower.rebuild(breaking.signal)]);
      await stopped;
      breaking.abort(new Error("broken off"));
      expect(await ended).toMatchObject([{ status: "rejected" }]);
      asked = [];
      go();
      await untilDone();
      expect(new Set((await held()).values())).toEqual(new Set(ids));
      expect(asked).not.toContain("");
    });

    it("ends a command when the snapshot is taken, also one that finds it under way", async () => {
      await writeAll();
      const { follower } = await follow();
      await untilDone();
      await spoil();
      const { stopped, go } = stopAfter(2);
      const ended = Promise.allSettled([follower.rebuild(unbroken)]);
      await stopped;
      const { follower: other } = await follow("second");
      asked = [];
      const quick = other.rebuild(unbroken);
      await expect.poll(() => asked.length, patience).toBeGreaterThan(0);
      go();
      await quick;
      expect(await ended).toMatchObject([{ reason: { code: Code.Aborted } }]);
      expect(new Set((await held()).values())).toEqual(new Set(ids));
      expect(asked).not.toContain("");
    });

    const spoil = () => feed.database.write("update consumer.held set title = 'wrong'");
  },
  ["pglite", "postgres"],
);

it("is not taken of an owner that gives no pages, which would give all at once", async () => {
  const before = createRouterTransport(({ service }) =>
    service(FeedService, {
      async *readSnapshot() {
        yield { entries: [], sequence: 7n };
      },
    }),
  );
  const client = createClient(FeedService, before);
  const page = readPage(client, { kind: "sandbox", key: [] }, 10, unbroken);
  await expect(page).rejects.toMatchObject({ name: "NoPagesError" });
});

async function storeHeld(
  tx: Transaction,
  entries: readonly FeedEntry[],
  taker: string,
): Promise<void> {
  const last = new Map(entries.map((entry) => [entry.key[0] ?? "", entry.record]));
  const rows = [...last].map(([id, record]) => ({
    id,
    title: record && anyUnpack(record, SandboxSchema)?.title,
  }));
  const present = rows.filter(({ title }) => title !== undefined);
  await tx.write(
    `insert into consumer.held select id, title, $3
      from unnest($1::text[], $2::text[]) as given(id, title)
      on conflict (id) do update set title = excluded.title, taker = excluded.taker`,
    [present.map(({ id }) => id), present.map(({ title }) => title), taker],
  );
  await tx.write("delete from consumer.held where id = any($1::text[])", [
    rows.filter(({ title }) => title === undefined).map(({ id }) => id),
  ]);
}

async function heldOf(
  tx: Transaction,
  { kind, after: [after = ""], through }: KeyRange,
  limit: number,
): Promise<string[][]> {
  if (kind !== "sandbox") return [];
  const rows = await tx.read<{ id: string }>(
    `select id from consumer.held where id > $1 and ($2::text is null or id <= $2)
      order by id limit $3`,
    [after, through?.[0] ?? null, limit],
  );
  return rows.map(({ id }) => [id]);
}
