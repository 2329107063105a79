import { parseFeed } from "@rowanmanning/feed-parser";
import { afterEach, describe, expect, test } from "vitest";
import { openEvents } from "./support/event-client.ts";
import type { EventReader } from "./support/event-client.ts";
import { deprecatedHeaders, savedQueryId } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack({ publicUrl: "https://shop.example" });
const nameless = useStack();

const base = `/queries/${savedQueryId}`;
const idPrefix = `urn:storefront:query:${savedQueryId}:US`;

test("the Atom feed of a saved query lists the offers that entered and left it, newest first", async () => {
  const { text, headers } = await stack().ask(`${base}/feed.atom?locale=de-DE`);
  expect(headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
  const feed = parseFeed(text);
  expect(feed.meta).toMatchObject({ type: "atom" });
  expect(feed.updated).toEqual(new Date("2026-03-03T10:00:00Z"));
  expect(feed.items.map(({ description }) => description)).toEqual([
    expect.not.stringContaining("Price:"),
    expect.stringMatching(/ Price: \d+\.\d\d USD/),
  ]);
  expect(feed.items.map(({ id, title, url, published }) => [id, title, url, published])).toEqual([
    [
      `${idPrefix}:2-b`,
      "No longer found: gone",
      "https://shop.example/explorer/",
      new Date("2026-03-03T10:00:00Z"),
    ],
    [
      `${idPrefix}:1-a`,
      "Found: Voll",
      "https://shop.example/explorer/offers/full",
      new Date("2026-03-02T10:00:00Z"),
    ],
  ]);
});

test("the JSON Feed of a saved query has the entries of the Atom feed, and its own address", async () => {
  const atom = parseFeed((await stack().ask(`${base}/feed.atom?country=de`)).text).items;
  const { text, headers } = await stack().ask(`${base}/feed.json?country=de`);
  expect(headers["content-type"]).toBe("application/feed+json; charset=utf-8");
  expect(headers["vary"]).toContain("Cookie");
  const items = atom.map(({ id, title, url }) => ({ id, title, url }));
  expect(JSON.parse(text)).toMatchObject({
    version: "https://jsonfeed.org/version/1.1",
    feed_url: `https://shop.example${base}/feed.json?country=DE&locale=en-US`,
    items,
  });
  expect(stack().services.requestOf("listQueryEvents")).toMatchObject({
    queryId: savedQueryId,
    region: "EURO",
    pageSize: 100,
  });
  const { text: ofNameless } = await nameless().ask(`${base}/feed.json`);
  expect(JSON.parse(ofNameless)).not.toHaveProperty("feed_url");
});

test("an unknown query has no feed, and a malformed country is refused", async () => {
  for (const file of ["feed.atom", "feed.json", "stream"]) {
    const { status, json } = await stack().ask(`/queries/${"0".repeat(32)}/${file}`);
    expect({ file, status }).toEqual({ file, status: 404 });
    expect(json).toMatchObject({ message: "Query not found" });
    expect((await stack().ask(`${base}/${file}?country=USA`)).status).toBe(400);
  }
});

describe("the stream of a saved query", () => {
  const opened: EventReader[] = [];
  afterEach(() => {
    for (const reader of opened.splice(0)) reader.close();
  });
  const open = async (query = "", headers: Record<string, string> = {}) => {
    const reader = await openEvents(stack().url, `${base}/stream${query}`, headers);
    opened.push(reader);
    return reader;
  };

  test("begins with the id of its position, and resumes after the event that a client names", async () => {
    const now = await open();
    expect(now.status).toBe(200);
    await expect.poll(() => now.lastEventId).toBe("2-b");
    const again = await open("?after=1-a", { "last-event-id": "0-begin" });
    expect((await again.first(2)).map(({ data }) => data)).toEqual([
      { id: "1-a", type: "entered", offerId: "full", date: "2026-03-02T10:00:00.000Z" },
      { id: "2-b", type: "left", offerId: "gone", date: "2026-03-03T10:00:00.000Z" },
    ]);
    expect((await (await open("?after=1-a")).first(1)).map(({ id }) => id)).toEqual(["2-b"]);
  });

  test("is refused after an event that is no longer stored, and at the limit of followed queries", async () => {
    const pruned = await stack().ask(`${base}/stream?after=9-z`);
    expect(pruned.status).toBe(404);
    expect(pruned.json).toMatchObject({ message: expect.stringContaining("restart without it") });
    const full = await stack().ask(`${base}/stream?country=BR`);
    expect(full.status).toBe(503);
    expect(full.json).toMatchObject({ message: expect.stringContaining("14 days") });
  });
});

test("the feeds and the stream keep their earlier addresses, which name the successor", async () => {
  const legacy = `/search/${savedQueryId}`;
  for (const file of ["feed.atom", "feed.json"]) {
    const { status, headers } = await stack().ask(`${legacy}/${file}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject(deprecatedHeaders);
  }
  const reader = await openEvents(stack().url, `${legacy}/stream`);
  reader.close();
  expect(reader.status).toBe(200);
});
