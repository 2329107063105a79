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
const neverAborted = new AbortController().signal;

describeOnEachDatabase(
  "a follower that takes a snapshot",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);
    /** Keys after which a page was requested of the owner. */
    let requested: string[];
    beforeAll(() =>
      feed.database.transaction((tx) =>
        tx.script(
          `create table consumer.held (id text collate "C" primary key, title text not null, taker text not null)`,
        ),
      ),
    );
    beforeEach(async () => {
      await feed.database.write("truncate consumer.held");
      requested = [];
      feed.onRead = async (after) => void requested.push(after);
    });

    /** Starts a follower whose position the log has lost, unless another has started. */
    async function follow(name = "first", options: Partial<FollowOptions> = {}) {
      await feed.database.write(
        `insert into consumer.feed_cursor (feed, sequence, identity, identity_sequence)
          values ('owner', 1000000, 'lost', 1000000) on conflict (feed) do nothing`,
      );
      const metrics = createMetrics({ service: "test" });
      const store = (tx: Transaction, entries: readonly FeedEntry[]) =>
        storeRecords(tx, entries, name);
      const follower = feed.follow({
        apply: store,
        snapshot: { kinds: ["nothing", "sandbox"], reconcile: store, storedKeys: storedKeysOf },
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
    const stored = async () => {
      const rows = await feed.database.read<{ id: string; title: string }>(
        "select id, title from consumer.held order by id",
      );
      return new Map(rows.map(({ id, title }) => [id, title]));
    };
    const isInProgress = async () =>
      (await feed.database.read("select from consumer.snapshot_progress")).length > 0;
    const untilDone = async () => {
      const isLost = async () =>
        (await feed.database.read("select from consumer.feed_cursor where identity = 'lost'"))
          .length > 0;
      await expect
        .poll(async () => (await isLost()) || (await isInProgress()), patience)
        .toBe(false);
    };
    /** Lets some pages pass, then blocks the next until `go`. */
    function stopAfter(pages: number) {
      const stopped = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      const taken = new Set<string>();
      feed.onRead = async (after) => {
        requested.push(after);
        if (after !== "") taken.add(after);
        if (taken.size < pages) return;
        stopped.resolve();
        await go.promise;
      };
      return { stopped: stopped.promise, go: go.resolve };
    }
    const expectOneResynchronisation = (page: string) =>
      expect(page).toMatch(/feed_resynchronisations_total\{.*reason="diverged".*\} 1/);

    it("resumes where an earlier one ended, and requests no applied page again", async () => {
      await writeAll();
      const { stopped, go } = stopAfter(2);
      const { follower } = await follow();
      await stopped;
      const ended = follower.close();
      go();
      await ended;
      expect(await isInProgress()).toBe(true);
      expect((await stored()).size).toBeGreaterThan(0);
      requested = [];
      feed.onRead = async (after) => void requested.push(after);
      await follow("second");
      await untilDone();
      expect([...(await stored()).keys()]).toEqual(ids);
      expect(requested).not.toContain("");
    });

    it("continues in another process when it loses the lease, and writes nothing more itself", async () => {
      await writeAll();
      const { stopped, go } = stopAfter(2);
      await follow();
      await stopped;
      const takers = () =>
        feed.database.read("select taker, count(*)::int4 from consumer.held group by taker");
      feed.onRead = async (after) => void requested.push(after);
      await feed.database.write(
        "update consumer.feed_lease set holder = 'gone', expires_at = clock_timestamp()",
      );
      requested = [];
      await follow("second");
      await untilDone();
      const atEnd = await takers();
      go();
      await write("z", "z");
      await expect.poll(async () => (await stored()).get("z"), patience).toBe("z");
      expect((await stored()).size).toBe(ids.length + 1);
      expect(requested).not.toContain("");
      expect(atEnd).toHaveLength(2);
    });

    it("applies writes before the snapshot ends, and reports that it is in progress", async () => {
      await writeAll();
      const { stopped, go } = stopAfter(2);
      const { follower, page } = await follow();
      await stopped;
      await write("a0", "changed");
      await write("z", "new");
      await expect.poll(async () => (await stored()).get("z"), patience).toBe("new");
      expect((await stored()).get("a0")).toBe("changed");
      expect(await isInProgress()).toBe(true);
      expect(await page()).toMatch(/feed_resynchronising\{feed="owner".*\} 1/);
      expect((await follower.describe()).snapshotRecords).toBeGreaterThan(0);
      await expect(follower.probe()).resolves.toMatchObject({ lagEntries: 0n });
      go();
      await untilDone();
      expect((await stored()).size).toBe(ids.length + 1);
      expect((await stored()).get("a0")).toBe("changed");
      expectOneResynchronisation(await page());
      await expect.poll(page, patience).toMatch(/feed_resynchronising\{feed="owner".*\} 0/);
    });

    it("keeps entries that the log sent between the read of a page and its application", async () => {
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
          .poll(async () => (await stored()).get(`${third}-beside`), patience)
          .toBe("between");
      };
      await follow();
      await untilDone();
      expect(isWritten).toBe(true);
      const end = await stored();
      expect([end.get(first), end.get(second), end.get(`${third}-beside`)]).toEqual([
        "newer",
        undefined,
        "between",
      ]);
      expect(end.size).toBe(ids.length);
    });

    it("removes all records that the owner does not have", async () => {
      await writeAll();
      await feed.database.write(
        `insert into consumer.held select prefix || n, 'lost', 'none'
          from unnest(array['0', 'a5', 'b']) as prefix, generate_series(10000, 16000) as n`,
      );
      await follow();
      await untilDone();
      expect([...(await stored()).keys()]).toEqual(ids);
    });

    it("is started by command, and continues after the command was aborted", async () => {
      await writeAll();
      const { follower } = await follow();
      await untilDone();
      await corrupt();
      const { stopped, go } = stopAfter(2);
      const breaking = new AbortController();
      const ended = Promise.allSettled([follower.rebuild(breaking.signal)]);
      await stopped;
      breaking.abort(new Error("command cancelled"));
      expect(await ended).toMatchObject([{ status: "rejected" }]);
      requested = [];
      go();
      await untilDone();
      expect(new Set((await stored()).values())).toEqual(new Set(ids));
      expect(requested).not.toContain("");
    });

    it("ends a command when the snapshot is complete, also one that found it in progress", async () => {
      await writeAll();
      const { follower } = await follow();
      await untilDone();
      await corrupt();
      const { stopped, go } = stopAfter(2);
      const ended = Promise.allSettled([follower.rebuild(neverAborted)]);
      await stopped;
      const { follower: other } = await follow("second");
      requested = [];
      const quick = other.rebuild(neverAborted);
      await expect.poll(() => requested.length, patience).toBeGreaterThan(0);
      go();
      await quick;
      expect(await ended).toMatchObject([{ reason: { code: Code.Aborted } }]);
      expect(new Set((await stored()).values())).toEqual(new Set(ids));
      expect(requested).not.toContain("");
    });

    const corrupt = () => feed.database.write("update consumer.held set title = 'wrong'");
  },
  ["pglite", "postgres"],
);

it("is not taken from an owner without pages, which would send everything at once", async () => {
  const before = createRouterTransport(({ service }) =>
    service(FeedService, {
      async *readSnapshot() {
        yield { entries: [], sequence: 7n };
      },
    }),
  );
  const client = createClient(FeedService, before);
  const page = readPage(client, { kind: "sandbox", key: [] }, 10, neverAborted);
  await expect(page).rejects.toMatchObject({ name: "NoPagesError" });
});

async function storeRecords(
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

async function storedKeysOf(
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
