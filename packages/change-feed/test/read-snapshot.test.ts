import type { ReadSnapshotResponse } from "@storefront/contracts/feed/v1/feed_service";
import { memoryDatabase } from "@storefront/testkit";
import { describe, expect, it } from "vitest";
import { maxBatchBytes } from "../src/index.ts";
import { append, names, sandboxEntry } from "./support/feed-fixture.ts";
import { ServedFeed } from "./support/served-feed.ts";
import { entriesOf } from "./support/watch-feed.ts";

describe("a snapshot", () => {
  const feed = new ServedFeed({ options: () => memoryDatabase("nothing") });

  const write = (ids: readonly string[], kind?: string, title?: string) =>
    append(
      feed.database,
      ids.map((id) => sandboxEntry(id, kind, title)),
    );

  async function read(kinds: string[] = []): Promise<ReadSnapshotResponse[]> {
    return await Array.fromAsync(feed.client.readSnapshot({ kinds }));
  }

  it("has the past on request, up to the position to follow the log from, and confirms it", async () => {
    await write(["a"]);
    const messages = await Array.fromAsync(feed.client.readSnapshot({ withPast: true }));
    expect(messages.map(({ hasPast, sequence }) => [hasPast, sequence])).toEqual([
      [true, 1n],
      [true, 1n],
    ]);
    const entries = messages.flatMap((message) => message.entries);
    expect(entries.map(({ key, record }) => [key, record !== undefined])).toEqual([
      [["a"], true],
      [["gone before 1"], false],
    ]);
    expect((await read()).map(({ hasPast }) => hasPast)).toEqual([false, false]);
  });

  it("has each record once, in messages of at most 500, and the position to follow the log from", async () => {
    await write(names("a", 1_201));
    await write(["a0", "a1"]);
    const messages = await read();
    expect(messages.map(({ entries }) => entries.length)).toEqual([0, 500, 500, 201]);
    const keys = messages.flatMap(({ entries }) => entries.map(({ key }) => key[0]));
    expect(new Set(keys)).toEqual(new Set(names("a", 1_201)));
    const newest = (await entriesOf(feed.client, 1_202n, 1)).at(-1);
    for (const { sequence, identity } of messages) {
      expect({ sequence, identity }).toEqual({ sequence: 1_203n, identity: newest?.identity });
    }
  });

  it("has so many records after a key, and confirms the limit", async () => {
    await write(names("a", 25));
    const page = async (limit: number, ...afterKey: string[]) => {
      const request = { kinds: ["sandbox"], limit, afterKey };
      const messages = await Array.fromAsync(feed.client.readSnapshot(request));
      expect(new Set(messages.map((message) => message.limit))).toEqual(new Set([limit]));
      return messages.flatMap(({ entries }) => entries.map(({ key }) => key[0]));
    };
    const sorted = names("a", 25).toSorted();
    expect(await page(10)).toEqual(sorted.slice(0, 10));
    expect(await page(10, sorted[9] ?? "")).toEqual(sorted.slice(10, 20));
    expect(await page(10, `${sorted[19]}!`)).toEqual(sorted.slice(20));
    expect(await page(10, "b")).toEqual([]);
  });

  it("has records without the fields that only a log entry has", async () => {
    await write(["a"]);
    const [entry] = (await read()).flatMap(({ entries }) => entries);
    expect(entry).toMatchObject({ key: ["a"], namespace: "a", sequence: 0n, identity: "" });
    expect(entry?.changes).toEqual([]);
    expect(entry?.committedAt).toBeUndefined();
    expect(entry?.record?.typeUrl).toContain("Sandbox");
  });

  it("of an empty log has the position of its beginning", async () => {
    expect(await read()).toMatchObject([{ entries: [], sequence: 0n, identity: "" }]);
  });

  it("has only the requested kinds", async () => {
    await write(["a"], "offer");
    await write(["b"], "item");
    const keys = (await read(["item"])).flatMap(({ entries }) => entries.map(({ key }) => key));
    expect(keys).toEqual([["b"]]);
  });

  it("keeps messages under the limit when records are large", async () => {
    await write(names("big", 9), "sandbox", "x".repeat(400_000));
    const perMessage = Math.floor(maxBatchBytes / 400_100);
    const counts = (await read()).map(({ entries }) => entries.length);
    expect(Math.max(...counts)).toBe(perMessage);
  });

  it("and the log from its position have every concurrent write", async () => {
    await write(names("a", 1_000));
    const seen = new Set<string | undefined>();
    let position = 0n;
    for await (const { entries, sequence } of feed.client.readSnapshot({})) {
      position = sequence;
      for (const { key } of entries) seen.add(key[0]);
      if (seen.size === 500) await write(["late"]);
    }
    for (const { key } of await entriesOf(feed.client, position, 1)) seen.add(key[0]);
    expect(seen).toEqual(new Set([...names("a", 1_000), "late"]));
  });
});
