import { Code, ConnectError } from "@connectrpc/connect";
import { invalidFields, unavailable } from "@storefront/rpc";
import { expect, test } from "vitest";
import { ask } from "./support/http-client.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack({ requestTimeoutMs: 400 });
// Port 9 (discard) is not listened on.
const unused = "http://127.0.0.1:9";
const nowhere = useStack({
  serviceUrls: {
    catalog: unused,
    pricing: unused,
    reviews: unused,
    changelog: unused,
    search: unused,
  },
});

const secret = "password=hunter2 at db.internal";

const failures: [what: string, error: Error, status: number, code: string][] = [
  ["unavailable", unavailable("database", new Error(secret)), 503, "UNAVAILABLE"],
  ["out of reach", new ConnectError(secret, Code.Unavailable), 503, "UNAVAILABLE"],
  ["too slow", new ConnectError(secret, Code.DeadlineExceeded), 504, "DEADLINE_EXCEEDED"],
  ["broken", new Error(secret), 502, "UPSTREAM_FAILED"],
  ["unfinished", new ConnectError(secret, Code.Unimplemented), 502, "UPSTREAM_FAILED"],
  ["closed to us", new ConnectError(secret, Code.Unauthenticated), 502, "UPSTREAM_FAILED"],
  ["lost without a reason", new ConnectError(secret, Code.NotFound), 502, "UPSTREAM_FAILED"],
  [
    "stricter than the gateway",
    invalidFields([{ field: "page_size", description: secret }]),
    400,
    "INVALID_ARGUMENT",
  ],
];

test.for(failures)(
  "a service that is %s is reported as such, without its text",
  async ([, error, status, code]) => {
    stack().services.interfere.set("listItems", () => Promise.reject(error));
    const response = await stack().ask("/items");
    expect(response.status).toBe(status);
    expect(response.json).toHaveProperty("error", code);
    expect(JSON.stringify(response.headers) + response.text).not.toMatch(
      /hunter2|internal|page_size|reached/,
    );
    expect(response.headers["retry-after"] !== undefined).toBe(status === 503);
    expect(response.headers["cache-control"]).toBe("no-store");
  },
);

test("an offer that the catalog does not know is 404 at once, whatever pricing does", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const method of ["batchGetPrices", "listOfferPrices", "listPriceHistory"]) {
    stack().services.interfere.set(method, () => promise);
  }
  for (const part of ["/price", "/prices", "/price-history"]) {
    expect((await stack().ask(`/offers/nope${part}`)).status).toBe(404);
    expect((await stack().ask(`/offers/full${part}`)).status).toBe(504);
  }
  // The known offer is served without its price once that is late.
  const asked = ["full", "nope"].map((id) => ask(stack().url, `/offers/${id}`));
  expect((await Promise.race(asked)).status).toBe(404);
  resolve();
  await Promise.all(asked);
});

test("operations of a service that is down are 503, and those without one still respond", async () => {
  const paths = [
    "/changelist",
    "/changelist/stream",
    "/offers/full/reviews",
    "/items/item/changelog",
  ];
  for (const path of [
    ...paths,
    "/items",
    "/offers/full",
    "/offers/full/price",
    "/free-games/mobile",
  ]) {
    const { status } = await nowhere().ask(path);
    expect({ path, status }).toEqual({ path, status: 503 });
  }
  expect((await nowhere().ask("/regions")).status).toBe(200);
});

test.for(["/offers/full", "/offers/full/collection", "/free-games/mobile"])(
  "%s is without prices when pricing fails, and is not cached",
  async (path) => {
    stack().services.interfere.set("batchGetPrices", () =>
      Promise.reject(unavailable("database", new Error(secret))),
    );
    const { status, json, headers } = await stack().ask(path);
    expect(status).toBe(200);
    expect(headers["catalog-degraded"]).toBe("pricing");
    expect(headers["cache-control"]).toBe("no-store");
    const [entry] = Array.isArray(json) ? (json as unknown[]) : [json];
    expect(entry).toHaveProperty("price", null);
  },
);

test("slow prices are not awaited", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("batchGetPrices", () => promise);
  const slow = await ask(stack().url, "/offers/full");
  resolve();
  expect(slow.status).toBe(200);
  expect(slow.headers["catalog-degraded"]).toBe("pricing");
});

test("a price itself, and a list chosen by prices, fail with pricing", async () => {
  const fail = () => Promise.reject(unavailable("database", new Error(secret)));
  stack().services.interfere.set("batchGetPrices", fail);
  stack().services.interfere.set("listDiscountedPrices", fail);
  expect((await stack().ask("/offers/full/price")).status).toBe(503);
  expect((await stack().ask("/offers/featured-discounts")).status).toBe(503);
});

test("health says which part fails", async () => {
  const { status, json } = await nowhere().ask("/health");
  expect(status).toBe(503);
  expect(json).toMatchObject({
    status: "error",
    error: "UNAVAILABLE",
    services: {
      cache: { status: "ok" },
      database: { status: "error", latency: null },
      search: { status: "error", latency: null },
    },
  });
});

test("an upstream's failure is in the log under the request id", async () => {
  stack().services.interfere.set("listItems", () =>
    Promise.reject(new ConnectError("the reason", Code.Internal)),
  );
  const { headers } = await stack().ask("/items");
  const lines = () => stack().linesOf(headers["x-request-id"]);
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: "warn",
    requestId: headers["x-request-id"],
    status: 502,
    cause: expect.stringContaining("the reason"),
  });
});
