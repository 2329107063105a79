import { Code, ConnectError } from "@connectrpc/connect";
import { OfferSort, SortDirection } from "@storefront/contracts/search/v1/offer_query";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError, unavailable } from "@storefront/rpc";
import { expect, test } from "vitest";
import { sortFields } from "../src/schemas/offer-query.ts";
import { savedQueryId } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const post = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const search = "/search/v2/search";
const meaning = "/search/natural-language";

const requestOf = (method: string) =>
  stack().services.calls.find((call) => call.method === method)?.request;

const countRequests = () =>
  stack().services.calls.filter(
    ({ method, request }) => method === "searchOffers" && request["countsOnly"] === true,
  ).length;

const byText = (a: string, b: string) => a.localeCompare(b);

test("18: found offers are shown from the catalog, in order, with prices; vanished ones are dropped", async () => {
  const { status, json, headers } = await stack().ask(
    `${search}?locale=de-de&country=us`,
    post({}),
  );
  expect(status).toBe(200);
  expect(headers["cache-control"]).toBe("no-cache");
  expect(headers["vary"]).toContain("Cookie");
  expect(json).toMatchObject({
    total: 23,
    offers: [
      { id: "bare", price: null, localeStatus: "fallback" },
      { id: "full", title: "Voll", price: { region: "US", price: { discountPrice: 999 } } },
    ],
    page: 1,
    limit: 10,
    aggregations: {
      technologies: {
        buckets: [
          { key: "Unity", doc_count: 2 },
          { key: "EasyAntiCheat", doc_count: 1 },
        ],
      },
      offerType: { buckets: [{ key: "BASE_GAME", doc_count: 3 }] },
      tags: { buckets: [{ key: "Tag", doc_count: 1 }] },
      developer: { buckets: [{ key: "Dev", doc_count: 1 }] },
      publisher: { buckets: [{ key: "Pub", doc_count: 1 }] },
      seller: { buckets: [{ key: "Seller", doc_count: 1 }] },
      price_stats: { count: 2, min: 0, max: 999, avg: 499.5 },
    },
    meta: { ms: 2, timed_out: false, cached: false },
  });
});

test("18: counts are asked for once for all pages and orders, and not at all when nobody wants them", async () => {
  const before = countRequests();
  const ask = async (body: object) => (await stack().ask(search, post(body))).json;
  const filter = { developerDisplayName: "Counted once" };
  const [first, second, third] = await Promise.all([
    ask({ ...filter, limit: 2 }),
    ask({ ...filter, page: 2, limit: 2 }),
    ask({ ...filter, sortBy: "priceAsc" }),
  ]);
  expect(countRequests()).toBe(before + 1);
  expect(second).toMatchObject({ aggregations: Object(first)["aggregations"] });
  expect(third).toMatchObject({ aggregations: Object(first)["aggregations"] });
  const none = await ask({ developerDisplayName: "Not counted", aggregations: false });
  expect(none).toMatchObject({ aggregations: { technologies: { buckets: [] } } });
  expect(countRequests()).toBe(before + 1);
  await ask({ ...filter, sortBy: "upcoming" });
  expect(countRequests()).toBe(before + 2);
});

test("18: without prices their statistics are null, and a search cut short says so", async () => {
  const { json } = await stack().ask(`${search}?country=JP`, post({}));
  expect(json).toMatchObject({
    aggregations: { price_stats: { count: 0, min: null, max: null, avg: null } },
    meta: { timed_out: true },
  });
});

test("18: an empty body asks for everything, by default order", async () => {
  await stack().ask(search, post({}));
  expect(requestOf("searchOffers")).toMatchObject({
    query: {
      title: "",
      offerTypes: [],
      tagIds: [],
      isLowestPrice: false,
      sort: OfferSort.UNSPECIFIED,
      direction: SortDirection.DESC,
    },
    region: "US",
    page: 1,
    pageSize: 10,
  });
  for (const member of ["price", "onSale", "sellerId", "isCodeRedemptionOnly"]) {
    expect(requestOf("searchOffers")?.["query"]).not.toHaveProperty(member, expect.anything());
  }
});

test("18: every member of the body reaches the search", async () => {
  const body = {
    title: "moon",
    offerType: ["BASE_GAME", "DLC"],
    tags: ["t2", "t1"],
    technologies: [" Unity ", "Unity"],
    categories: ["games"],
    customAttributes: ["k"],
    seller: "s1",
    developerDisplayName: "Dev",
    publisherDisplayName: "Pub",
    refundType: "SELF_REFUNDABLE",
    isCodeRedemptionOnly: false,
    price: { min: 0, max: Number.MAX_SAFE_INTEGER },
    onSale: false,
    isLowestPrice: true,
    excludeBlockchain: true,
    pastGiveaways: true,
    sortBy: "price",
    sortDir: "asc",
    page: 101,
    limit: 100,
  };
  const { status, json } = await stack().ask(search, post(body));
  expect(status).toBe(200);
  expect(json).toMatchObject({ page: 101, limit: 100 });
  expect(requestOf("searchOffers")).toMatchObject({
    query: {
      title: "moon",
      offerTypes: ["BASE_GAME", "DLC"],
      tagIds: ["t2", "t1"],
      technologies: ["Unity"],
      categories: ["games"],
      customAttributes: ["k"],
      sellerId: "s1",
      developerDisplayName: "Dev",
      publisherDisplayName: "Pub",
      refundType: "SELF_REFUNDABLE",
      isCodeRedemptionOnly: false,
      price: { min: 0n, max: 9_007_199_254_740_991n },
      onSale: false,
      isLowestPrice: true,
      excludeBlockchain: true,
      pastGiveaways: true,
      sort: OfferSort.PRICE,
      direction: SortDirection.ASC,
    },
    page: 101,
    pageSize: 100,
  });
});

test("18: one type is an array of one, an empty price is one without bounds", async () => {
  await stack().ask(search, post({ offerType: "DLC", price: {} }));
  expect(requestOf("searchOffers")).toMatchObject({ query: { offerTypes: ["DLC"], price: {} } });
});

test.for(sortFields)("18: %s is a sort of its own", async (sortBy) => {
  expect((await stack().ask(search, post({ sortBy }))).status).toBe(200);
  const member = sortBy.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  expect(requestOf("searchOffers")).toHaveProperty(
    "query.sort",
    OfferSort[member as keyof typeof OfferSort],
  );
});

const odd: [body: object, why: string][] = [
  [{ unknown: 1, query: 2, __proto: [] }, "unknown members"],
  [{ country: "nowhere", locale: 7 }, "members of the body that are query parameters"],
  [{ price: { min: 5, max: 1 } }, "bounds that nothing is between"],
  [{ price: { min: -1 } }, "a bound below every price"],
  [{ title: "\u{1f600}".repeat(512) }, "as many characters as allowed"],
  [{ title: "  " }, "a blank title"],
  [{ offerType: [] }, "an empty filter"],
  [{ offerType: "NO_SUCH_TYPE" }, "an unknown type"],
  [{ page: 10_001, limit: 1 }, "the last page within reach"],
];

test.for(odd)("18: %j is accepted: %s", async ([body]) => {
  const { status } = await stack().ask(search, post(body));
  expect(status).toBe(200);
});

const refused: [member: string, body: object][] = [
  ["title", { title: 5 }],
  ["title", { title: null }],
  ["title", { title: "x".repeat(513) }],
  ["title", { title: "a\0" }],
  ["title", { title: "\ud800" }],
  ["offerType", { offerType: 5 }],
  ["offerType", { offerType: {} }],
  ["offerType", { offerType: ["DLC", 5] }],
  ["offerType", { offerType: Array.from({ length: 101 }, String) }],
  ["offerType", { offerType: "\0" }],
  ["tags", { tags: "t1" }],
  ["tags[1]", { tags: ["t1", 2] }],
  ["tags", { tags: Array.from({ length: 101 }, String) }],
  ["technologies", { technologies: "Unity" }],
  ["technologies[0]", { technologies: [""] }],
  ["technologies[1]", { technologies: ["Unity", " \t"] }],
  ["technologies[0]", { technologies: ["\0"] }],
  ["technologies[0]", { technologies: [null] }],
  ["categories", { categories: {} }],
  ["customAttributes[0]", { customAttributes: [true] }],
  ["seller", { seller: ["s1"] }],
  ["developerDisplayName", { developerDisplayName: 1 }],
  ["publisherDisplayName", { publisherDisplayName: {} }],
  ["refundType", { refundType: false }],
  ["isCodeRedemptionOnly", { isCodeRedemptionOnly: "true" }],
  ["price", { price: 5 }],
  ["price", { price: [1, 2] }],
  ["price.min", { price: { min: "5" } }],
  ["price.max", { price: { max: 1.5 } }],
  ["price.max", { price: { max: 2 ** 53 } }],
  ["onSale", { onSale: 1 }],
  ["isLowestPrice", { isLowestPrice: "" }],
  ["excludeBlockchain", { excludeBlockchain: null }],
  ["pastGiveaways", { pastGiveaways: [] }],
  ["sortBy", { sortBy: "toString" }],
  ["sortBy", { sortBy: ["price"] }],
  ["sortDir", { sortDir: "ASC" }],
  ["page", { page: 0 }],
  ["page", { page: "1" }],
  ["page", { page: 1.5 }],
  ["page", { page: 1002 }],
  ["page", { page: 102, limit: 100 }],
  ["page", { page: Number.MAX_SAFE_INTEGER }],
  ["limit", { limit: 0 }],
  ["limit", { limit: 101 }],
  ["limit", { limit: "10" }],
  ["limit", { limit: 2.5 }],
];

test.for(refused)("%s is named when a search refuses %j", async ([member, body]) => {
  const isFilter = !/^(sort|page|limit)/u.test(member);
  for (const path of [search, "/search", ...(isFilter ? [meaning] : [])]) {
    const { status, json, headers } = await stack().ask(path, post({ query: "x", ...body }));
    expect({ path, status }).toEqual({ path, status: 400 });
    const { error, message } = json as { error: string; message: string };
    expect(error).toBe("INVALID_ARGUMENT");
    expect(message.slice(0, message.indexOf(" must "))).toBe(member);
    expect(headers["cache-control"]).toBe("no-store");
  }
  expect(stack().services.calls).toEqual([]);
});

test("a value outside an enumeration is told which are allowed", async () => {
  const by = await stack().ask(search, post({ sortBy: "rating" }));
  for (const field of sortFields) {
    expect(by.json).toHaveProperty("message", expect.stringContaining(field));
  }
  const direction = await stack().ask(search, post({ sortDir: "up" }));
  expect(direction.json).toHaveProperty("message", expect.stringContaining("asc, desc"));
});

test.for([search, "/search", meaning])(
  "%s refuses malformed parameters and bodies that are no objects",
  async (path) => {
    const body = path === meaning ? { query: "x" } : {};
    for (const query of [
      "country=USA",
      "country=1",
      "country=US&country=US",
      "locale=d",
      "locale=de_DE",
      "country=%zz",
    ]) {
      const { status, json } = await stack().ask(`${path}?${query}`, post(body));
      expect({ query, status }).toEqual({ query, status: 400 });
      expect(json).toHaveProperty("error", "INVALID_ARGUMENT");
    }
    for (const wrong of [[], null, "x", 5]) {
      expect((await stack().ask(path, post(wrong))).status).toBe(400);
    }
    const empty = await stack().ask(`${path}?country=&locale=&page=0&x=1&x=1`, post(body));
    expect(empty.status).toBe(200);
    expect(stack().services.calls.every(({ request }) => request["region"] !== "")).toBe(true);
  },
);

test.for([search, "/search"])("%s: the region is that of country, cookie, US", async (path) => {
  const regionOf = async (query: string, headers: Record<string, string> = {}) => {
    stack().services.calls.length = 0;
    const options = post({});
    const answer = await stack().ask(`${path}${query}`, {
      ...options,
      headers: { ...options.headers, ...headers },
    });
    expect(answer.status).toBe(200);
    return requestOf("searchOffers")?.["region"];
  };
  expect(await regionOf("?country=de")).toBe("EURO");
  expect(await regionOf("", { cookie: "CATALOG_COUNTRY=DE" })).toBe("EURO");
  expect(await regionOf("", { cookie: "CATALOG_COUNTRY=XX" })).toBe("US");
  expect(await regionOf("?country=XX", { cookie: "CATALOG_COUNTRY=DE" })).toBe("US");
  expect(await regionOf("")).toBe("US");
});

test("a saved search answers its page and an id that gives the canonical body", async () => {
  const body = { offerType: "DLC", sortBy: "upcoming", sortDir: "asc", price: {}, page: 2 };
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
  expect(saved.json).toEqual({ offerType: ["DLC"], price: {}, sortBy: "upcoming", sortDir: "asc" });
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
  expect(requestOf("countFacets")).toMatchObject({ queryId: savedQueryId, region: "EURO" });
  const unpriced = await stack().ask(`/search/${savedQueryId}/count?country=JP`);
  expect(unpriced.json).toHaveProperty("priceRange", {
    minPrice: null,
    maxPrice: null,
    currency: null,
  });
});

test("19: a country in no region counts as US, a malformed one is refused", async () => {
  expect((await stack().ask(`/search/${savedQueryId}/count?country=XX`)).status).toBe(200);
  expect(requestOf("countFacets")).toHaveProperty("region", "US");
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

test("matches by meaning keep their order, lose vanished offers, and are never stored", async () => {
  const { status, json, headers } = await stack().ask(
    `${meaning}?country=DE&locale=de-DE`,
    post({ query: "  calm \u{1f30a} ", topK: 50 }),
  );
  expect(status).toBe(200);
  expect(json).toMatchObject({
    query: "calm \u{1f30a}",
    count: 2,
    matches: [
      { score: 0.5, offer: { id: "full", title: "Voll", price: { region: "EURO" } } },
      { score: 0.25, offer: { id: "bare", price: null } },
    ],
  });
  expect(headers["cache-control"]).toBe("no-store");
  expect(requestOf("searchOffersByMeaning")).toMatchObject({
    text: "calm \u{1f30a}",
    pageSize: 50,
  });
});

test("a search by meaning looks among what the filters of 18 let through, in the country's region", async () => {
  const filters = {
    title: "moon",
    offerType: "DLC",
    tags: ["t1"],
    price: { max: 5 },
    onSale: true,
  };
  await stack().ask(search, post(filters));
  const body = { ...filters, query: "calm", sortBy: "price", page: 2 };
  expect((await stack().ask(`${meaning}?country=DE`, post(body))).status).toBe(200);
  const request = requestOf("searchOffersByMeaning");
  expect(request).toMatchObject({ text: "calm", pageSize: 10, region: "EURO" });
  expect(request?.["query"]).toEqual(requestOf("searchOffers")?.["query"]);
  stack().services.calls.length = 0;
  await stack().ask(meaning, post({ query: "calm" }));
  expect(requestOf("searchOffersByMeaning")).not.toHaveProperty("query", expect.anything());
});

test("a search by meaning whose filters were not applied is refused, and not answered without them", async () => {
  const filtered = await stack().ask(
    `${meaning}?country=JP`,
    post({ query: "calm", onSale: true }),
  );
  expect(filtered.status).toBe(503);
  expect(filtered.json).toHaveProperty("error", "UNAVAILABLE");
  const all = await stack().ask(`${meaning}?country=JP`, post({ query: "calm" }));
  expect(all.status).toBe(200);
});

test.for([
  ["query", {}],
  ["query", { query: " \n" }],
  ["query", { query: 5 }],
  ["query", { query: "x".repeat(501) }],
  ["query", { query: "a\0" }],
  ["query", { query: "\ud800" }],
  ["topK", { query: "x", topK: 0 }],
  ["topK", { query: "x", topK: 51 }],
  ["topK", { query: "x", topK: "5" }],
  ["topK", { query: "x", topK: 1.5 }],
] as const)("%s is named when a search by meaning refuses %j", async ([member, body]) => {
  const { status, json } = await stack().ask(meaning, post(body));
  expect(status).toBe(400);
  const { message } = json as { message: string };
  expect(message.slice(0, message.indexOf(" must "))).toBe(member);
});

test("500 characters after trimming are not too many", async () => {
  const query = ` ${"\u{1f600}".repeat(500)} `;
  expect((await stack().ask(meaning, post({ query }))).status).toBe(200);
});

const embeddingNotConfigured = new ServiceError({
  code: Code.FailedPrecondition,
  reason: ErrorReason.EMBEDDING_NOT_CONFIGURED,
  message: "upstream text",
});
const embeddingFailed = new ServiceError({
  code: Code.Unavailable,
  reason: ErrorReason.EMBEDDING_FAILED,
  message: "upstream text",
});

const failures: [what: string, error: Error, status: number, code: string][] = [
  ["not configured", embeddingNotConfigured, 503, "UNAVAILABLE"],
  ["failing", embeddingFailed, 502, "UPSTREAM_FAILED"],
  [
    "without its engine",
    unavailable("search engine", new Error("upstream text")),
    503,
    "UNAVAILABLE",
  ],
  [
    "out of step",
    new ConnectError("upstream text", Code.FailedPrecondition),
    502,
    "UPSTREAM_FAILED",
  ],
];

test.for(failures)(
  "a search by meaning that is %s shows as such",
  async ([, error, status, code]) => {
    stack().services.interfere.set("searchOffersByMeaning", () => Promise.reject(error));
    const answer = await stack().ask(meaning, post({ query: "x" }));
    expect(answer.status).toBe(status);
    expect(answer.json).toHaveProperty("error", code);
    expect(answer.text).not.toContain("upstream text");
    expect(answer.headers["retry-after"] !== undefined).toBe(status === 503);
    expect(answer.headers["cache-control"]).toBe("no-store");
  },
);

const reads: [method: string, path: string, body: object | undefined][] = [
  ["searchOffers", search, {}],
  ["searchOffers", "/search", {}],
  ["saveQuery", "/search", {}],
  ["getSavedQuery", `/search/${savedQueryId}`, undefined],
  ["countFacets", `/search/${savedQueryId}/count`, undefined],
];

test.for(reads)("without its engine %s makes %s 503", async ([method, path, body]) => {
  stack().services.interfere.set(method, () =>
    Promise.reject(unavailable("search engine", new Error("away"))),
  );
  const { status, json, headers } = await stack().ask(path, body && post(body));
  expect(status).toBe(503);
  expect(json).toHaveProperty("error", "UNAVAILABLE");
  expect(headers["retry-after"]).toBeDefined();
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

test.for([
  [search, {}],
  ["/search", {}],
  [meaning, { query: "x" }],
] as const)(
  "%s goes without prices when pricing fails, not without offers",
  async ([path, body]) => {
    stack().services.interfere.set("batchGetPrices", () =>
      Promise.reject(unavailable("database", new Error("away"))),
    );
    const { status, headers } = await stack().ask(path, post(body));
    expect(status).toBe(200);
    expect(headers["catalog-degraded"]).toBe("pricing");
    expect(headers["cache-control"]).toBe("no-store");
    stack().services.interfere.set("batchGetOffers", () =>
      Promise.reject(unavailable("database", new Error("away"))),
    );
    expect((await stack().ask(path, post(body))).status).toBe(503);
  },
);

const hydration = ["batchGetOffers", "batchGetPrices"];
const callsOf: [path: string, body: object | undefined, methods: string[]][] = [
  [search, { limit: 100 }, ["searchOffers", ...hydration]],
  ["/search", { limit: 100 }, ["searchOffers", "saveQuery", ...hydration]],
  [meaning, { query: "x" }, ["searchOffersByMeaning", ...hydration]],
  [`/search/${savedQueryId}`, undefined, ["getSavedQuery"]],
  [`/search/${savedQueryId}/count`, undefined, ["countFacets"]],
];

test.for(callsOf)("%s takes a fixed number of calls", async ([path, body, methods]) => {
  await stack().ask(`${path}?locale=de-DE`, body && post(body));
  const called = stack().services.calls.map(({ method }) => method);
  expect(called.toSorted(byText)).toEqual(methods.toSorted(byText));
});

test("health fails with the search service", async () => {
  stack().services.interfere.set("checkHealth", () => Promise.reject(new Error("away")));
  const { status, json } = await stack().ask("/health");
  expect(status).toBe(503);
  expect(json).toHaveProperty("services.search", { status: "error", latency: null });
});
