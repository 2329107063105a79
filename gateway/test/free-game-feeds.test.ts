import { create } from "@bufbuild/protobuf";
import { parseFeed } from "@rowanmanning/feed-parser";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { sync as icalReader } from "node-ical";
import { describe, expect, test } from "vitest";
import { at, records } from "./support/records.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";

const hostile = `A, b; "c" \\ <b>&amp;</b> ]]> 😀 \u{202E}tfel ${"ä".repeat(90)}`;

records.giveaways.push(
  create(GiveawaySchema, {
    id: "a;b,\nc<&é",
    platform: "ios",
    title: `${hostile}\r\nBEGIN:VEVENT\u0001`,
    startDate: at("2026-03-01T00:00:00Z"),
    endDate: at("2026-03-01T00:00:00Z"),
  }),
  create(GiveawaySchema, { id: "endless", startDate: at("2026-01-15T10:20:30Z") }),
  create(GiveawaySchema, { id: "soon", offerId: "full", startDate: at("2098-01-01T00:00:00Z") }),
  create(GiveawaySchema, { id: "startless", endDate: at("2020-01-01T00:00:00Z") }),
);
const hostileTitle = `${hostile} BEGIN:VEVENT`;
const hostileId = "a%3Bb%2C%0Ac%3C%26%C3%A9";

const publicUrl = "https://shop.example";
const stack = useStack({ publicUrl });
const nameless = useStack();
const caching = useCachingStack();

const paths = ["/free-games/feed.ics", "/free-games/feed.atom", "/free-games/feed.json"];

const textOf = async (path: string) => (await stack().ask(path)).text;

function eventsOf(text: string) {
  return Object.values(icalReader.parseICS(text)).filter((part) => part?.type === "VEVENT");
}

describe("the calendar", () => {
  test("links to the page of the offer", async () => {
    const events = eventsOf(await textOf("/free-games/feed.ics"));
    expect(events.find(({ uid }) => uid === "giveaway-g1@storefront")?.url).toEqual({
      params: { VALUE: "URI" },
      val: "https://shop.example/explorer/offers/full",
    });
  });

  test("holds any title, in lines of at most 75 octets", async () => {
    const text = await textOf("/free-games/feed.ics");
    const event = eventsOf(text).find(({ uid }) => uid.includes(hostileId));
    expect(event?.summary).toBe(hostileTitle);
    for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.match(/^END:VEVENT/gm)).toHaveLength(5);
  });

  test("omits an end that is not announced", async () => {
    const text = await textOf("/free-games/feed.ics?platform=desktop");
    expect(text.match(/^DTSTART/gm)).toHaveLength(2);
    expect(text).not.toContain("DTEND");
    expect(text.replaceAll("\r\n ", "")).toContain("without an announced end");
  });
});

test("the Atom feed lists giveaways that have begun, newest start first", async () => {
  const feed = parseFeed(await textOf("/free-games/feed.atom"));
  expect(feed.meta).toMatchObject({ type: "atom" });
  expect(feed.updated).toEqual(new Date("2026-03-01T00:00:00Z"));
  expect(feed.items.map(({ id }) => id)).toEqual(
    [hostileId, "g1", "endless", "g2"].map((id) => `urn:storefront:giveaway:${id}`),
  );
  const { title, url, published } = feed.items[1] ?? {};
  expect({ title, url, published }).toEqual({
    title: "Full",
    url: "https://shop.example/explorer/offers/full",
    published: new Date("2026-02-01T00:00:00Z"),
  });
});

test("the Atom feed holds any title, as HTML", async () => {
  const [entry] = parseFeed(await textOf("/free-games/feed.atom")).items;
  expect(entry?.title).toBe(hostileTitle);
});

test("the JSON Feed has the entries of the Atom feed", async () => {
  const atom = parseFeed(await textOf("/free-games/feed.atom")).items;
  const { version, items } = JSON.parse(await textOf("/free-games/feed.json")) as {
    version: string;
    items: Record<string, string>[];
  };
  expect(version).toBe("https://jsonfeed.org/version/1.1");
  const members = ({ id, url, published }: (typeof atom)[number]) => [id, url, published];
  expect(
    items.map(({ id, url, date_published: published = "" }) => [id, url, new Date(published)]),
  ).toEqual(atom.map(members));
  expect(items[0]?.["title"]).toBe(hostileTitle);
});

test("without a public address feeds have no links", async () => {
  const [calendar, atom, json] = await Promise.all(paths.map((path) => nameless().ask(path)));
  expect(calendar?.text).not.toMatch(/^URL/m);
  const { items } = parseFeed(atom?.text ?? "");
  expect(items.map(({ url }) => url)).toEqual(items.map(({ id }) => id));
  expect(atom?.text).not.toContain("explorer");
  expect(json?.text).not.toMatch(/_?url"/);
});

test.each([
  ["/free-games/feed.ics", "text/calendar; charset=utf-8"],
  ["/free-games/feed.atom", "application/atom+xml; charset=utf-8"],
  ["/free-games/feed.json", "application/feed+json; charset=utf-8"],
])("%s is cached, compressed and validated as other responses are", async (path, type) => {
  const plain = await stack().ask(path);
  const first = await caching().ask(path, { headers: { "accept-encoding": "gzip" } });
  const cached = await caching().ask(path);
  for (const { status, headers } of [plain, first, cached]) {
    expect([status, headers["content-type"]]).toEqual([200, type]);
    expect(headers["cache-control"]).toContain("max-age=60");
  }
  expect(first.headers["content-encoding"]).toBe("gzip");
  expect(first.text).toBe(cached.text);
  const again = await stack().ask(path);
  expect(again.text).toBe(plain.text);
  const etag = plain.headers.etag ?? "";
  const unchanged = await stack().ask(path, { headers: { "if-none-match": etag } });
  expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
  const refused = await caching().ask(`${path}?platform=windows`);
  expect(refused.status).toBe(400);
  expect(refused.headers["content-type"]).toBe("application/json; charset=utf-8");
});
