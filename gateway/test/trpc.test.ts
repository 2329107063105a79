import { createTRPCClient, httpBatchLink, TRPCClientError } from "@trpc/client";
import { expect, expectTypeOf, test } from "vitest";
import type { AppRouter } from "../src/index.ts";
import { unavailable } from "@storefront/rpc";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const client = (methodOverride?: "POST") =>
  createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({ url: `${stack().url}/trpc`, ...(methodOverride && { methodOverride }) }),
    ],
  });

test("a client gets typed results, the same as REST's", async () => {
  const offer = await client().catalog.getOffer.query({
    id: "full",
    locale: "de-de",
    country: "de",
  });
  expectTypeOf(offer.title).toEqualTypeOf<string | null>();
  expectTypeOf(offer.price).toExtend<{ region: string } | null>();
  expect(offer).toEqual((await stack().ask("/offers/full?locale=de-DE&country=DE")).json);
});

test("a query is saved by a mutation, which a link cannot call", async () => {
  const path = "/trpc/search.saveQuery";
  const input = encodeURIComponent(JSON.stringify({ title: "moon" }));
  const batch = encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }));
  for (const asked of [
    `${path}?input=${input}`,
    `${path},search.saveQuery?batch=1&input=${batch}`,
  ]) {
    expect((await stack().ask(asked)).status).toBe(405);
  }
  const posted = { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" };
  expect((await stack().ask(path, posted)).status).toBe(415);
  expect(stack().services.calls).toEqual([]);
  const { query } = await client().search.saveQuery.mutate({ title: "moon" });
  expectTypeOf(query).toEqualTypeOf<string>();
  expect(stack().services.calls.map(({ method }) => method)).toContain("saveQuery");
});

test("an input without required members can be left out", async () => {
  expect(await client().pricing.listRegions.query()).toHaveLength(52);
  expect(await client().catalog.listItems.query()).toMatchObject({ page: 1, limit: 10 });
});

test("calls made together are one request and one batch call each", async () => {
  const trpc = client();
  await Promise.all([
    trpc.catalog.getOffer.query({ id: "full" }),
    trpc.catalog.getOffer.query({ id: "bare" }),
  ]);
  expect(stack().services.calls).toHaveLength(2);
  expect(new Set(stack().services.calls.map(({ method }) => method))).toEqual(
    new Set(["batchGetOffers", "batchGetPrices"]),
  );
});

test("long inputs can be posted", async () => {
  const offers = Array.from({ length: 1000 }, (_none, index) => `offer-number-${index}`);
  const { nonExistingOffers } = await client("POST").catalog.checkOffersExist.query({ offers });
  expect(nonExistingOffers).toHaveLength(1000);
});

test("errors carry REST's code, message and status, and no internals", async () => {
  const failure = client().catalog.getOffer.query({ id: "nope" });
  await expect(failure).rejects.toThrow(TRPCClientError);
  await expect(failure).rejects.toMatchObject({
    message: "Offer not found",
    data: { code: "NOT_FOUND", httpStatus: 404, error: "NOT_FOUND" },
  });
  // @ts-expect-error the input is checked at both ends
  const wrong = client().catalog.getOffer.query({ id: 1 });
  await expect(wrong).rejects.toMatchObject({
    data: { httpStatus: 400, error: "INVALID_ARGUMENT" },
  });

  stack().services.interfere.set("listItems", () =>
    Promise.reject(unavailable("database", new Error("secret"))),
  );
  const down = await stack().ask("/trpc/catalog.listItems");
  expect(down.status).toBe(503);
  expect(down.text).not.toMatch(/secret|stack|cannot be reached/);
  expect(down.headers["cache-control"]).toBe("no-store");
});

test("a defect is 500 without details", async () => {
  const defect = await stack().ask(
    `/trpc/catalog.getItem?input=${encodeURIComponent('{"id":"defect"}')}`,
  );
  expect(defect.status).toBe(500);
  expect(defect.text).not.toMatch(/Range|time value/);
});

test("a body of another type is 415, malformed input 400, without the parser's words", async () => {
  for (const type of [
    "text/plain",
    "application/problem+json",
    "multipart/form-data; boundary=x",
  ]) {
    const { status, json } = await stack().ask("/trpc/catalog.listItems", {
      method: "POST",
      headers: { "content-type": type },
      body: "{}",
    });
    expect({ type, status }).toEqual({ type, status: 415 });
    expect(json).toHaveProperty("error", "UNSUPPORTED_MEDIA_TYPE");
  }
  const malformed = await stack().ask("/trpc/catalog.getItem?input=%7B%22id");
  expect(malformed.status).toBe(400);
  expect(malformed.json).toHaveProperty("error.data.error", "INVALID_ARGUMENT");
  expect(malformed.text).not.toMatch(/token|position|Unexpected|Unterminated/);
});

test("tRPC responses have a request id, can be read from other origins and name their upstreams", async () => {
  const { headers, status } = await stack().ask("/trpc/catalog.listItems", {
    headers: { "x-request-id": "id-2" },
  });
  expect(status).toBe(200);
  expect(headers["x-request-id"]).toBe("id-2");
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(headers["server-timing"]).toContain("catalog.ListItems");
  const lines = () => stack().linesOf("id-2");
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toMatchObject({ path: "/trpc/catalog.listItems", requestId: "id-2" });
});

test("the headers of the largest batch stay within the limits of proxies", async () => {
  const names = Array.from({ length: 100 }, () => "catalog.getOfferOverview").join();
  const input = Object.fromEntries(
    Array.from({ length: 100 }, (_none, at) => [at, { id: "full" }]),
  );
  const { status, headers } = await stack().ask(
    `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`,
  );
  expect(status).toBe(200);
  expect(stack().services.calls.length).toBeGreaterThan(100);
  expect(headers["server-timing"]).toMatch(
    /catalog\.GetOfferOverview;dur=\d+\.\d;desc="100 calls"/,
  );
  expect(JSON.stringify(headers).length).toBeLessThan(2048);
});

test("a response is compressed for clients that accept it", async () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${stack().url}/trpc/pricing.listRegions`, { headers });
  const compressed = await ask({ "accept-encoding": "br" });
  const plain = await ask({ "accept-encoding": "identity" });
  expect(compressed.headers.get("content-encoding")).toBe("br");
  expect(compressed.headers.get("vary")?.toLowerCase()).toContain("accept-encoding");
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await compressed.json()).toEqual(await plain.json());
});
