import { create } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { anyPack, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { passSeconds } from "./support/clock.ts";
import type { AskOptions, HttpResponse } from "./support/http-client.ts";
import { startGateway, useStack } from "./support/start-stack.ts";

const stack = useStack();
const observedAt = timestampFromDate(new Date("2026-03-16T19:05:41.123Z"));
const feeds = () => stack().services.feeds;

let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeEach(async () => {
  for (const feed of Object.values(feeds())) {
    feed.snapshot = { entries: [], hasPast: true };
    feed.snapshotsRead = 0;
  }
  const offer = create(OfferSchema, { id: "o1", title: "Tide" });
  feeds().catalog.snapshot.entries = [
    { kind: "offer", key: ["o1"], observedAt, record: anyPack(OfferSchema, offer) },
    { kind: "asset", key: ["app", "Windows", "n1"], observedAt },
  ];
  const price = create(OfferPriceSchema, { offerId: "o1", region: "US" });
  feeds().pricing.snapshot.entries = [
    { kind: "price", key: ["o1", "US"], observedAt, record: anyPack(OfferPriceSchema, price) },
  ];
  feeds().changelog.snapshot.entries = ["o1", "app"].map((contextId) => ({
    kind: "entry",
    key: ["e1"],
    observedAt,
    subjectKey: contextId === "app" ? ["app", "Windows", "n1"] : [contextId],
    record: anyPack(
      EntrySchema,
      create(EntrySchema, { id: "e1", timestamp: observedAt, contextType: "x", contextId }),
    ),
  }));
  gateway = await startGateway(stack().services, { responseCacheBytes: 0 });
});
afterEach(() => gateway.close());

const get = (options?: AskOptions) => gateway.ask("/snapshot", options);
const withHeaders = (headers: Record<string, string>) => get({ headers });

/** Repeats the request until there is a snapshot. */
async function snapshot(): Promise<HttpResponse> {
  return await vi.waitFor(async () => {
    const response = await get();
    expect(response.status).toBe(200);
    return response;
  });
}

test("a snapshot is made on request, with the lines of an export and the cursor after it", async () => {
  const first = await get();
  expect(first.status).toBe(503);
  expect(first.headers["retry-after"]).toBe("1");
  expect(first.json).toMatchObject({ message: expect.stringContaining("being made") });
  const { headers, bytes } = await snapshot();
  const seenAt = "2026-03-16T19:05:41.123Z";
  const entry = { id: "e1", timestamp: seenAt, contextType: "x" };
  expect(gunzipSync(bytes).toString().split("\n")).toEqual([
    `{"restored":true,"kind":"offer","op":"upsert","observedAt":"${seenAt}","record":{"id":"o1","title":"Tide"}}`,
    `{"kind":"asset","op":"delete","observedAt":"${seenAt}","record":{"artifactId":"app","platform":"Windows","namespace":"n1"}}`,
    `{"restored":true,"kind":"price","op":"upsert","observedAt":"${seenAt}","record":{"offerId":"o1","region":"US"}}`,
    `{"restored":true,"kind":"entry","op":"upsert","record":${JSON.stringify({ ...entry, contextId: "o1", changes: [] })}}`,
    `{"restored":true,"kind":"entry","op":"upsert","record":${JSON.stringify({ ...entry, contextId: "app", key: ["app", "Windows", "n1"], changes: [] })}}`,
    "",
  ]);
  const digest = createHash("sha256").update(bytes).digest("base64");
  expect(headers).toMatchObject({
    "content-type": "application/gzip",
    "accept-ranges": "bytes",
    "cache-control": "no-cache",
    "repr-digest": `sha-256=:${digest}:`,
    "catalog-cursor": expect.stringMatching(/^3-[^.]+\.3-[^.]+\.3-[^.]+\.3-[^.]+$/),
  });
  expect(headers).not.toHaveProperty("content-encoding");
});

test("a snapshot is sent whole, in part, or not at all to a client that has it", async () => {
  const { headers, bytes } = await snapshot();
  const { etag = "", "last-modified": lastModified = "" } = headers;
  const size = bytes.length;

  const head = await get({ method: "HEAD" });
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  expect(head.headers).toMatchObject({ etag, "content-length": String(size) });
  expect((await withHeaders({ "if-none-match": etag })).status).toBe(304);

  for (const [range, start, end] of [
    ["bytes=0-0", 0, 1],
    ["BYTES=5-9", 5, 10],
    ["bytes=5-9", 5, 10],
    ["bytes=10-", 10, size],
    [`bytes=10-${size * 2}`, 10, size],
    ["bytes=-4", size - 4, size],
    [`bytes=-${size * 2}`, 0, size],
  ] as const) {
    for (const ifRange of [{}, { "if-range": etag }, { "if-range": lastModified }]) {
      const part = await withHeaders({ range, ...ifRange });
      expect(part.status).toBe(206);
      expect(part.headers["content-range"]).toBe(`bytes ${start}-${end - 1}/${size}`);
      expect(part.headers["repr-digest"]).toBe(headers["repr-digest"]);
      expect(part.bytes.equals(bytes.subarray(start, end))).toBe(true);
    }
  }
  // Ranges of another file, or in a form that may be ignored.
  for (const asked of [
    { range: "bytes=5-9", "if-range": '"another"' },
    { range: "bytes=0-1,4-5" },
    { range: "bytes=9-5" },
    { range: "lines=1-2" },
  ]) {
    const whole = await withHeaders(asked);
    expect(whole.status).toBe(200);
    expect(whole.bytes.equals(bytes)).toBe(true);
  }
  for (const range of [`bytes=${size}-`, "bytes=-0"]) {
    const none = await withHeaders({ range });
    expect(none.status).toBe(416);
    expect(none.headers).toMatchObject({
      "content-range": `bytes */${size}`,
      "cache-control": "no-store",
    });
    expect(none.json).toMatchObject({ error: "INVALID_ARGUMENT" });
  }
});

test("a snapshot is sent by the conditions of a request, in the order of RFC 9110, 13.2.2", async () => {
  const { headers } = await snapshot();
  const { etag = "", "last-modified": lastModified = "" } = headers;
  const earlier = new Date(Date.parse(lastModified) - 60_000).toUTCString();
  const later = new Date(Date.parse(lastModified) + 60_000).toUTCString();
  const other = '"other"';
  const statuses = async (cases: [conditions: Record<string, string>, status: number][]) => {
    for (const [conditions, status] of cases) {
      const response = await withHeaders(conditions);
      expect({ conditions, status: response.status }).toEqual({ conditions, status });
    }
  };
  await statuses([
    [{ "if-match": `${other}, ${etag}` }, 200],
    [{ "if-match": "*" }, 200],
    [{ "if-match": other }, 412],
    [{ "if-match": `W/${etag}` }, 412],
    [{ "if-unmodified-since": lastModified }, 200],
    [{ "if-unmodified-since": earlier }, 412],
    [{ "if-unmodified-since": "no date" }, 200],
    [{ "if-match": etag, "if-unmodified-since": earlier }, 200],
  ]);
  const failed = await withHeaders({ "if-match": other });
  expect(failed.json).toMatchObject({ error: "PRECONDITION_FAILED" });
  expect(failed.headers["cache-control"]).toBe("no-store");
  await statuses([
    [{ "if-modified-since": lastModified }, 304],
    [{ "if-modified-since": later }, 304],
    [{ "if-modified-since": earlier }, 200],
    [{ "if-modified-since": "no date" }, 200],
    [{ "if-none-match": other, "if-modified-since": later }, 200],
    [{ "if-none-match": etag, "if-modified-since": earlier }, 304],
    // As `fetch` sends it.
    [{ "if-none-match": etag, "cache-control": "no-cache" }, 304],
    [{ "if-match": other, "if-none-match": etag, range: "bytes=0-0" }, 412],
    [{ "if-match": etag, "if-none-match": etag, range: "bytes=0-0" }, 304],
    [{ "if-match": etag, range: "bytes=0-0" }, 206],
  ]);
});

test("a snapshot varies by the origin where only listed ones may read", async () => {
  const listed = await startGateway(stack().services, {
    responseCacheBytes: 0,
    corsOrigins: ["https://shop.example"],
  });
  await vi.waitFor(async () => {
    const { status, headers } = await listed.ask("/snapshot");
    expect({ status, vary: headers.vary }).toEqual({ status: 200, vary: "Origin" });
  });
  await listed.close();
});

test("a snapshot is made once for all clients, and again in the background when it is an hour old", async () => {
  await Promise.all(Array.from({ length: 20 }, () => get()));
  const first = await snapshot();
  passSeconds(3590);
  expect((await get()).headers.etag).toBe(first.headers.etag);
  expect(feeds().catalog.snapshotsRead).toBe(1);

  feeds().catalog.snapshot.entries = [];
  passSeconds(20);
  const old = await get();
  expect([old.status, old.headers.etag]).toEqual([200, first.headers.etag]);
  await vi.waitFor(async () => {
    expect((await get()).headers.etag).not.toBe(first.headers.etag);
  });
  expect(feeds().catalog.snapshotsRead).toBe(2);
});

test("clients are to retry the later, the longer a snapshot takes", async () => {
  const ready = Promise.withResolvers<void>();
  feeds().reviews.snapshot.ready = ready.promise;
  const askAgain = async () => {
    const { status, headers } = await get();
    return [status, headers["retry-after"]];
  };
  expect(await askAgain()).toEqual([503, "1"]);
  passSeconds(60);
  expect(Number((await askAgain())[1])).toBeGreaterThanOrEqual(15);
  passSeconds(600);
  expect(await askAgain()).toEqual([503, "30"]);
  ready.resolve();
  await snapshot();
});

test("a snapshot is refused with the reason while a service sends no past, and made once it does", async () => {
  feeds().reviews.snapshot.hasPast = false;
  const refused = await vi.waitFor(async () => {
    const response = await get();
    expect(response.status).toBe(502);
    return response;
  });
  expect(refused.json).toEqual({
    message:
      "The reviews service is of a release that gives no snapshot of its past; it has to be updated.",
    error: "UPSTREAM_FAILED",
  });
  feeds().reviews.snapshot.hasPast = true;
  passSeconds(10);
  await snapshot();
});

test("a failed snapshot is not tried again for as long as the attempt took", async () => {
  const ready = Promise.withResolvers<void>();
  feeds().reviews.snapshot = { entries: [], hasPast: false, ready: ready.promise };
  await get();
  passSeconds(60);
  ready.resolve();
  await vi.waitFor(async () => expect((await get()).status).toBe(502));
  passSeconds(50);
  expect((await get()).status).toBe(502);
  expect(feeds().catalog.snapshotsRead).toBe(1);
  feeds().reviews.snapshot.hasPast = true;
  passSeconds(60);
  await snapshot();
});
