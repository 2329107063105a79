import { Code, createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry, WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Database } from "@storefront/database";
import { createGrpcTransport, createTransport, errorInfoOf } from "@storefront/rpc";
import type { ClosableTransport, RunningServer } from "@storefront/rpc";
import { createMetrics } from "@storefront/process";
import type { Metrics } from "@storefront/process";
import { describeOnEachDatabase, parseMetrics, sumOf } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CommitSignal, maxBatchBytes, provideFeed } from "../src/index.ts";
import {
  append,
  names,
  openFeedDatabase,
  sandboxEntry,
  ownerLog,
  serveFeed,
} from "./support/feed-fixture.ts";
import { entriesOf, failureOf, watch } from "./support/watch-feed.ts";

const heartbeatMs = 150;

describeOnEachDatabase("the change feed", (testDatabase) => {
  let database: Database;
  let server: RunningServer;
  let transports: ClosableTransport[];
  let metrics: Metrics;
  beforeAll(async () => {
    metrics = createMetrics({ service: "owner" });
    database = await openFeedDatabase(testDatabase.options());
    server = await serveFeed(
      provideFeed({ ...ownerLog(database), pollIntervalMs: 20, heartbeatMs, metrics }),
    );
    transports = [
      createTransport({ baseUrl: `http://127.0.0.1:${server.port}` }),
      createGrpcTransport({ address: `127.0.0.1:${server.grpcPort}` }),
    ];
  });
  afterAll(async () => {
    await Promise.all(transports.map((transport) => transport.close()));
    await server.close();
    await database.close();
  });
  beforeEach(async () => {
    await database.write("truncate owner.change_log restart identity");
  });

  it("reports the length, age and followers of the log", async () => {
    const read = async () => {
      const page = parseMetrics(await metrics.metrics());
      return ["entries", "oldest_entry_age_seconds", "followers"].map((name) =>
        sumOf(page, `change_log_${name}`),
      );
    };
    await expect.poll(read).toEqual([0, 0, 0]);
    await append(
      database,
      names("l", 3).map((id) => sandboxEntry(id)),
    );
    await database.write(
      "update owner.change_log set committed_at = committed_at - interval '1 hour' where seq = 1",
    );
    const [transport] = transports;
    if (transport === undefined) throw new Error("no transport");
    const messages = watch(createClient(FeedService, transport), { afterSequence: 0n });
    await messages.next();
    expect((await read()).at(-1)).toBe(1);
    await messages.return(undefined);
    await expect.poll(read).toEqual([3, expect.closeTo(3600, -2), 0]);
  });

  describe.each([
    ["Connect", 0],
    ["gRPC", 1],
  ])("over %s", (_name, index) => {
    const client = (): Client<typeof FeedService> => {
      const transport = transports[index];
      if (transport === undefined) throw new Error("no transport");
      return createClient(FeedService, transport);
    };

    it("sends the whole log in order, in messages of at most 500 entries, then new commits", async () => {
      await append(
        database,
        names("a", 1_201).map((id) => sandboxEntry(id)),
      );
      const messages: WatchChangesResponse[] = [];
      const entries: FeedEntry[] = [];
      for await (const message of watch(client(), { afterSequence: 0n })) {
        messages.push(message);
        entries.push(...message.entries);
        if (message.entries.length === 0) continue;
        if (entries.length === 1_201) await append(database, [sandboxEntry("live")]);
        if (entries.length === 1_202) break;
      }
      expect(entries.map(({ key }) => key[0])).toEqual([...names("a", 1_201), "live"]);
      expect(entries.map(({ sequence }) => sequence)).toEqual(
        entries.map((_, place) => BigInt(place + 1)),
      );
      expect(Math.max(...messages.map((message) => message.entries.length))).toBe(500);
      expect(messages.at(-1)?.newestSequence).toBe(1_202n);
    });

    it("sends an entry as it was written, with its sequence and time of commit", async () => {
      const beforeMs = Date.now() - 60_000;
      await append(database, [sandboxEntry("calluna", "sandbox", "Control")]);
      const [entry] = await entriesOf(client(), 0n, 1);
      expect(entry).toMatchObject({
        sequence: 1n,
        kind: "sandbox",
        key: ["calluna"],
        namespace: "calluna",
      });
      expect(entry?.changes).toMatchObject([{ field: "*", type: "object" }]);
      expect(entry?.record?.typeUrl).toBe("type.googleapis.com/storefront.catalog.v1.Sandbox");
      const committedAt = entry?.committedAt;
      expect(committedAt && timestampDate(committedAt).getTime()).toBeGreaterThan(beforeMs);
    });

    it("resumes after any sequence without missing or repeating", async () => {
      await append(
        database,
        names("r", 40).map((id) => sandboxEntry(id)),
      );
      for (const after of [1, 17, 39]) {
        const entries = await entriesOf(client(), BigInt(after), 40 - after);
        expect(entries.map(({ key }) => key[0])).toEqual(names("r", 40).slice(after));
      }
    });

    it("sends its start position, then what is committed from now on", async () => {
      await append(database, [sandboxEntry("before")]);
      const messages = watch(client(), { afterSequence: 99n, fromNow: true });
      const first = (await messages.next()).value;
      expect(first).toMatchObject({ entries: [], newestSequence: 1n });
      await append(database, [sandboxEntry("after")]);
      const keys: (string | undefined)[] = [];
      for await (const { entries } of messages) {
        keys.push(...entries.map(({ key }) => key[0]));
        if (keys.length > 0) break;
      }
      expect(keys).toEqual(["after"]);
    });

    it("sends the same log id in every stream, and another one once the log was replaced", async () => {
      const logIdAfter = async (expected: number): Promise<string> => {
        for await (const { newestSequence, logId } of watch(client(), { afterSequence: 0n })) {
          if (newestSequence === BigInt(expected)) return logId;
        }
        return "ended";
      };
      expect(await logIdAfter(0)).toBe("");
      await append(database, [sandboxEntry("first")]);
      const logId = await logIdAfter(1);
      expect(logId).not.toBe("");
      await append(database, [sandboxEntry("second")]);
      expect(await logIdAfter(2)).toBe(logId);
      await database.write("truncate owner.change_log restart identity");
      await append(database, [sandboxEntry("first")]);
      expect(await logIdAfter(1)).not.toBe(logId);
    });

    it("sends only the requested kinds", async () => {
      const kinds = ["offer", "item", "offer", "price"];
      await append(
        database,
        kinds.map((kind, position) => sandboxEntry(`k${position}`, kind)),
      );
      const entries = await entriesOf(client(), 0n, 2, ["offer"]);
      expect(entries.map(({ key }) => key[0])).toEqual(["k0", "k2"]);
    });

    it("sends a heartbeat with the newest sequence at once and whenever the stream is idle", async () => {
      await append(database, [sandboxEntry("h", "price")]);
      const startMs = performance.now();
      let heartbeats = 0;
      for await (const message of watch(client(), { afterSequence: 0n, kinds: ["offer"] })) {
        expect(message.entries).toEqual([]);
        expect(message.newestSequence).toBe(1n);
        if (++heartbeats === 3) break;
      }
      expect(performance.now() - startMs).toBeGreaterThan(heartbeatMs * 1.5);
      expect(performance.now() - startMs).toBeLessThan(heartbeatMs * 20);
    });

    it("serves two watchers independently", async () => {
      await append(
        database,
        names("w", 10).map((id) => sandboxEntry(id)),
      );
      const watching = [entriesOf(client(), 0n, 12), entriesOf(client(), 5n, 7)];
      await append(
        database,
        names("x", 2).map((id) => sandboxEntry(id)),
      );
      const [all, rest] = await Promise.all(watching);
      expect(all?.map(({ key }) => key[0])).toEqual([...names("w", 10), ...names("x", 2)]);
      expect(rest).toEqual(all?.slice(5));
    });

    it("keeps messages under the limit when records are large", async () => {
      const title = "x".repeat(400_000);
      await append(
        database,
        names("big", 9).map((id) => sandboxEntry(id, "sandbox", title)),
      );
      await append(database, [sandboxEntry("huge", "sandbox", "x".repeat(3_500_000))]);
      const counts: number[] = [];
      let seen = 0;
      for await (const { entries } of watch(client(), { afterSequence: 0n })) {
        counts.push(entries.length);
        seen += entries.length;
        if (seen === 10) break;
      }
      const perMessage = Math.floor(maxBatchBytes / 400_100);
      expect(Math.max(...counts)).toBe(perMessage);
      expect(counts.at(-1)).toBe(1);
    });

    it("confirms a shorter heartbeat in every message", async () => {
      const messages = watch(client(), { fromNow: true, heartbeatMs: 100 });
      for (let message = 0; message < 3; message++) {
        expect((await messages.next()).value).toMatchObject({ entries: [], heartbeatMs: 100 });
      }
      await append(database, [sandboxEntry("one")]);
      const withEntry = async () => {
        for await (const message of messages) if (message.entries.length > 0) return message;
        return undefined;
      };
      expect((await withEntry())?.heartbeatMs).toBe(100);
    });

    it("rejects a sequence after the end of the log with OUT_OF_RANGE", async () => {
      await append(database, [sandboxEntry("only")]);
      const error = await failureOf(client(), { afterSequence: 2n });
      expect(error.code).toBe(Code.OutOfRange);
      expect(errorInfoOf(error)?.reason).toBe(ErrorReason.SEQUENCE_OUT_OF_RANGE);
    });

    it.each([
      { afterSequence: -1n },
      { afterSequence: 0n, kinds: ["a\u0000"] },
      { afterSequence: 0n, kinds: [""] },
      { afterSequence: 0n, heartbeatMs: 1 },
    ])("rejects a request that breaks a rule with INVALID_ARGUMENT: %o", async (request) => {
      const error = await failureOf(client(), request);
      expect(error.code).toBe(Code.InvalidArgument);
      expect(errorInfoOf(error)?.reason).toBe(ErrorReason.INVALID_FIELD);
    });
  });

  it("sends a commit of this process at once, without waiting for the poll", async () => {
    const commits = new CommitSignal();
    const slow = await serveFeed(
      provideFeed({ ...ownerLog(database), commits, pollIntervalMs: 60_000 }),
    );
    const transport = createTransport({ baseUrl: `http://127.0.0.1:${slow.port}` });
    try {
      const messages = watch(createClient(FeedService, transport), { afterSequence: 0n });
      expect((await messages.next()).value?.entries).toEqual([]);
      for (const id of ["one", "two"]) {
        await append(database, [sandboxEntry(id)]);
        commits.notify();
        expect((await messages.next()).value?.entries[0]?.key).toEqual([id]);
      }
      await messages.return(undefined);
    } finally {
      await transport.close();
      await slow.close();
    }
  });

  it("reports its progress while it skips many entries of other kinds", async () => {
    await database.write(`
      insert into owner.change_log (kind, key, namespace, observed_at, entry)
      select 'price', '{x}', '', now(), '' from generate_series(1, 25000)`);
    const restless = await serveFeed(provideFeed({ ...ownerLog(database), heartbeatMs: 0 }));
    const transport = createTransport({ baseUrl: `http://127.0.0.1:${restless.port}` });
    const messages = watch(createClient(FeedService, transport), {
      afterSequence: 0n,
      kinds: ["offer"],
    });
    for (const newestSequence of [5_000n, 10_000n, 15_000n, 20_000n, 25_000n, 25_000n]) {
      expect((await messages.next()).value).toMatchObject({ entries: [], newestSequence });
    }
    await messages.return(undefined);
    await transport.close();
    await restless.close();
  });

  it("ends its streams when the server drains", async () => {
    const other = await serveFeed(provideFeed({ ...ownerLog(database), pollIntervalMs: 20 }));
    const transport = createTransport({ baseUrl: `http://127.0.0.1:${other.port}` });
    const messages = watch(createClient(FeedService, transport), { afterSequence: 0n });
    await messages.next();
    const startMs = performance.now();
    await other.close();
    expect((await messages.next()).done).toBe(true);
    expect(performance.now() - startMs).toBeLessThan(5_000);
    await transport.close();
  });
});
