import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { expect, test } from "vitest";
import { post } from "./support/http-client.ts";
import { savedQueryId } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

test("a saved search answers its page and an id that gives the canonical body", async () => {
  const body = {
    offerType: "DLC",
    sortBy: "upcoming",
    sortDir: "asc",
    price: {},
    lowestPriceOf: "ever",
    page: 2,
  };
  const { status, json } = await stack().ask("/search?locale=de-DE", post(body));
  expect(status).toBe(200);
  expect(json).toMatchObject({
    elements: [{ id: "bare" }, { id: "full", title: "Voll", price: { region: "US" } }],
    page: 2,
    limit: 10,
    total: 23,
    query: savedQueryId,
  });
  expect(Object.keys(json as object)).toEqual(["elements", "page", "limit", "total", "query"]);
  const saved = await stack().ask(`/search/${savedQueryId}`);
  expect(saved.status).toBe(200);
  expect(saved.json).toEqual({
    offerType: ["DLC"],
    price: {},
    lowestPriceOf: "ever",
    sortBy: "upcoming",
    sortDir: "asc",
  });
});

test("a saved query is bare: false and bounds are kept, defaults are not there", async () => {
  const { json, headers } = await stack().ask(`/search/${savedQueryId}`);
  expect(json).toEqual({
    title: "moon",
    offerType: ["BASE_GAME"],
    isCodeRedemptionOnly: false,
    price: { min: 5 },
    onSale: false,
    isLowestPrice: true,
    sortBy: "priceUpdatedAt",
  });
  expect(headers["cache-control"]).toContain("max-age=60");
});

test("a query that is too long to be saved is 400, and says how long it may be", async () => {
  const tooLong = {
    code: Code.InvalidArgument,
    reason: ErrorReason.QUERY_TOO_LONG,
    message: "upstream text",
    metadata: { maxBytes: "8192" },
  };
  stack().services.interfere.set("saveQuery", () => Promise.reject(new ServiceError(tooLong)));
  const { status, json } = await stack().ask("/search", post({ title: "x" }));
  expect(status).toBe(400);
  expect(json).toEqual({
    message: "The body is too long to be saved: its canonical form may have at most 8192 bytes.",
    error: "INVALID_ARGUMENT",
  });
});

test("19: facets are counted in the region of the country", async () => {
  const { status, json } = await stack().ask(`/search/${savedQueryId}/count?country=DE`);
  expect(status).toBe(200);
  expect(json).toEqual({
    tagCounts: [{ _id: "t1", count: 2 }],
    offerTypeCounts: [{ _id: "BASE_GAME", count: 3 }],
    total: 3,
    developer: [{ _id: "Dev", count: 1 }],
    publisher: [],
    priceRange: { minPrice: 0, maxPrice: 999, currency: "EUR" },
  });
  expect(stack().services.requestOf("countFacets")).toMatchObject({
    queryId: savedQueryId,
    region: "EURO",
  });
  const unpriced = await stack().ask(`/search/${savedQueryId}/count?country=JP`);
  expect(unpriced.json).toHaveProperty("priceRange", {
    minPrice: null,
    maxPrice: null,
    currency: null,
  });
});

test("19: a country in no region counts as US, a malformed one is refused", async () => {
  expect((await stack().ask(`/search/${savedQueryId}/count?country=XX`)).status).toBe(200);
  expect(stack().services.requestOf("countFacets")).toHaveProperty("region", "US");
  expect((await stack().ask("/search/unknown/count?country=XXX")).status).toBe(400);
});

test.for(["/search/unknown", "/search/unknown/count", "/search/v2/count"])(
  "%s: the query is not found",
  async (path) => {
    const { status, json } = await stack().ask(path);
    expect(status).toBe(404);
    expect(json).toEqual({ message: "Query not found", error: "NOT_FOUND" });
  },
);
