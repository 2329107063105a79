import { unavailable } from "@storefront/rpc";
import { expect, test } from "vitest";
import { post } from "./support/http-client.ts";
import { meaningPath, savedQueryId, searchPath } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const countRequests = () =>
  stack().services.calls.filter(
    ({ method, request }) => method === "searchOffers" && request["countsOnly"] === true,
  ).length;

test("found offers are shown from the catalog, in order; deleted ones are dropped", async () => {
  const { status, json, headers } = await stack().ask(
    `${searchPath}?locale=de-de&country=us`,
    post({}),
  );
  expect(status).toBe(200);
  expect(headers["cache-control"]).toBe("no-cache");
  expect(headers["vary"]).toContain("Cookie");
  expect(json).toMatchObject({
    total: 23,
    offers: [{ id: "bare" }, { id: "full" }],
    meta: { ms: 2, timed_out: false, cached: false },
  });
});

test("counts are requested once for all pages and orders, and not at all when they are off", async () => {
  const before = countRequests();
  const ask = async (body: object) => (await stack().ask(searchPath, post(body))).json;
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

test("counts without a facet's own filter are requested apart from the others", async () => {
  const before = countRequests();
  const filter = { developerDisplayName: "Counted both ways" };
  const other = { ...filter, disjunctiveAggregations: true };
  const ask = async (body: object) => (await stack().ask(searchPath, post(body))).status;
  const statuses = await Promise.all([filter, other, { ...other, page: 2 }].map(ask));
  expect(statuses).toEqual([200, 200, 200]);
  const asked = stack().services.calls.filter(
    ({ method, request }) => method === "searchOffers" && request["countsOnly"] === true,
  );
  const forms = asked.slice(before).map(({ request }) => request["disjunctiveAggregations"]);
  expect(forms).toHaveLength(2);
  expect(new Set(forms)).toEqual(new Set([false, true]));
});

test("filter values that no offer has are named, except tags that have a record", async () => {
  const metaOf = async (tags: string[]) =>
    Object(Object((await stack().ask(searchPath, post({ tags }))).json)["meta"])["unknown"];
  expect(await metaOf(["Competitive", "t9"])).toEqual([
    { filter: "tags", value: "Competitive", nearest: [{ id: "t1", name: "Tag" }] },
  ]);
  expect(await metaOf(["t9"])).toBeUndefined();
  stack().services.interfere.set("listTags", () => Promise.reject(new Error("down")));
  expect(await metaOf(["Not asked before"])).toBeUndefined();
  expect(await metaOf([])).toBeUndefined();
});

test("tags have the name and group of their record, and those without offers come last", async () => {
  expect((await stack().ask("/tags")).json).toEqual({
    tags: [
      { id: "t1", name: "Recorded", groupName: "genre", offers: 3 },
      { id: "t2", name: "Other", groupName: null, offers: 2 },
      { id: "t3", name: null, groupName: null, offers: 1 },
      { id: "t9", name: "Unused", groupName: null, offers: 0 },
    ],
  });
});

test("a search box gets suggestions, none of an unknown kind", async () => {
  expect((await stack().ask("/search/suggest?query=ful")).json).toEqual({
    suggestions: [
      { text: "ful 8", kind: "correction" },
      { text: "Full", offerId: "full", kind: "title" },
      { text: "Tag", id: "t1", kind: "tag" },
    ],
  });
  expect((await stack().ask("/search/suggest?query=ful&limit=21")).status).toBe(400);
  expect((await stack().ask("/search/suggest")).status).toBe(200);
});

test("sellers are listed by page and by a part of their name", async () => {
  const { json } = await stack().ask("/sellers?query=%20har%20&page=2&limit=5");
  expect(json).toEqual({
    sellers: [
      { id: "s1", name: "har 2 5", offers: 2 },
      { id: null, name: "Seller", offers: 1 },
    ],
    page: 2,
    limit: 5,
    total: 23,
  });
  expect((await stack().ask("/sellers")).json).toMatchObject({ page: 1, limit: 20 });
  expect((await stack().ask("/sellers?query=%20")).status).toBe(400);
});

test("a search service that does not support facetQuery makes one 503", async () => {
  const body = { facetQuery: { facet: "developer", text: "dev" } };
  const { status, json } = await stack().ask(`${searchPath}?country=BR`, post(body));
  expect(status).toBe(503);
  expect(json).toMatchObject({ message: expect.stringContaining("does not support facetQuery") });
  const { status: withoutIt } = await stack().ask(`${searchPath}?country=BR`, post({}));
  expect(withoutIt).toBe(200);
});

test("the next page is found by a cursor, which belongs to one search", async () => {
  const body = { offerType: "DLC", limit: 3, aggregations: false };
  const first = await stack().ask(searchPath, post(body));
  expect(first.json).toMatchObject({ next: "c1", page: 1 });
  const last = await stack().ask(searchPath, post({ ...body, cursor: "c1", limit: 7 }));
  expect(last.json).toMatchObject({ next: null, limit: 7 });
  const asked = stack().services.calls.findLast(({ method }) => method === "searchOffers");
  expect(asked?.request).toMatchObject({ cursor: "c1", pageSize: 7 });
  const refused = [
    [
      { cursor: "other" },
      "cursor must be the `next` of a search with the same filter, sort and country.",
    ],
    [{ cursor: "c1", page: 1 }, "page must not be given with cursor."],
    [{ cursor: "" }, "cursor must not be empty."],
  ] as const;
  for (const [members, message] of refused) {
    const { status, json } = await stack().ask(searchPath, post({ ...body, ...members }));
    expect({ status, json }).toEqual({ status: 400, json: { message, error: "INVALID_ARGUMENT" } });
  }
  // An earlier release ignores cursors and returns the first page again.
  const before = await stack().ask(`${searchPath}?country=BR`, post({ cursor: "c1" }));
  expect(before.status).toBe(503);
});

test("a search by URL is the same as by a body, and shares its cursors", async () => {
  const query =
    "offerType=DLC&offerType=BASE_GAME&tags=t1&tags=t2&price.min=-5&price.max=1999&minRating=7.5&onSale=true&sortBy=price&sortDir=asc&facetQuery.facet=seller&facetQuery.text=Sel&limit=3&highlight=true";
  const byUrl = await stack().ask(`/search?${query}&country=jp`);
  const asked = stack().services.calls.map(({ method, request }) => [method, request]);
  const byBody = await stack().ask(
    `${searchPath}?country=jp`,
    post({
      offerType: ["DLC", "BASE_GAME"],
      tags: ["t1", "t2"],
      price: { min: -5, max: 1999 },
      minRating: 7.5,
      onSale: true,
      sortBy: "price",
      sortDir: "asc",
      facetQuery: { facet: "seller", text: "Sel" },
      limit: 3,
      highlight: true,
    }),
  );
  expect(byUrl.status).toBe(200);
  expect(byUrl.json).toEqual(byBody.json);
  const since = stack()
    .services.calls.slice(asked.length)
    .map(({ method, request }) => [method, request]);
  const searches = (calls: unknown[][]) => calls.filter(([method]) => method === "searchOffers");
  expect(searches(asked)).toEqual(expect.arrayContaining(searches(since)));
  const { status, json } = await stack().ask("/search?facetQuery.facet=seller");
  expect(status).toBe(400);
  expect(json).toMatchObject({ message: expect.stringContaining("facetQuery.text must be given") });
});

test("a search by URL links to its next page, and is validated by what it has found", async () => {
  const path = "/search?title=moon%20light?&page=2&limit=3&country=fr";
  const first = await stack().ask(path);
  expect(first.headers).toMatchObject({
    "cache-control": "public, max-age=60, stale-while-revalidate=300",
    link: '<?title=moon+light%3F&limit=3&country=fr&cursor=c1>; rel="next"',
    etag: expect.stringMatching(/^W\/"/),
  });
  const { etag = "" } = first.headers;
  const again = await stack().ask(path);
  expect(again.json).not.toEqual(first.json);
  expect(again.headers.etag).toBe(etag);
  const unchanged = await stack().ask(path, { headers: { "if-none-match": etag } });
  expect({ status: unchanged.status, text: unchanged.text }).toEqual({ status: 304, text: "" });
  expect(unchanged.headers.link).toBe(first.headers.link);
  const last = await stack().ask("/search?title=moon%20light&cursor=c1&limit=3&country=fr");
  expect(last.headers).not.toHaveProperty("link");
  expect(last.json).toMatchObject({ next: null });
});

test("a search service that ignores ratings makes a search by them unavailable", async () => {
  for (const body of [{ minRating: 7 }, { sortBy: "rating" }]) {
    expect((await stack().ask(searchPath, post(body))).status).toBe(200);
    expect((await stack().ask(`${searchPath}?country=BR`, post(body))).status).toBe(503);
  }
  const byMeaning = post({ query: "full", minRating: 7 });
  expect((await stack().ask("/search/natural-language", byMeaning)).status).toBe(200);
  expect((await stack().ask("/search/natural-language?country=BR", byMeaning)).status).toBe(503);
  expect((await stack().ask("/queries", post({ minRating: 7 }))).status).toBe(201);
  expect((await stack().ask("/queries", post({ minRating: 1 }))).status).toBe(503);
});

test("without prices their statistics are null, and a search cut short says so", async () => {
  const { json } = await stack().ask(`${searchPath}?country=JP`, post({}));
  expect(json).toMatchObject({
    aggregations: { price_stats: { count: 0, min: null, max: null, avg: null } },
    meta: { timed_out: true },
  });
});

const highlightsOf = (json: unknown) =>
  Object(json)["offers"].map(({ highlights }: { highlights?: object }) => highlights);

test("matches are marked in found offers, where requested", async () => {
  const marked = { title: "<mark>Full</mark>", description: "<mark>Described</mark>." };
  const found = await stack().ask(searchPath, post({ title: "full", highlight: true }));
  expect(highlightsOf(found.json)).toEqual([{}, marked]);
  const plain = await stack().ask(searchPath, post({ title: "full" }));
  expect(highlightsOf(plain.json)).toEqual([undefined, undefined]);
});

test("matches are not marked where the text of a locale is shown instead", async () => {
  const path = `${searchPath}?locale=de-DE`;
  const { json } = await stack().ask(path, post({ title: "full", highlight: true }));
  expect(highlightsOf(json)).toEqual([{}, {}]);
});

test("offers have no highlights from a search service that does not support them", async () => {
  const path = `${searchPath}?country=BR`;
  const { status, json } = await stack().ask(path, post({ title: "full", highlight: true }));
  expect([status, ...highlightsOf(json)]).toEqual([200, undefined, undefined]);
});

test("a search service that ignores lowest prices makes a search by them unavailable", async () => {
  const ask = (country: string) =>
    stack().ask(`${searchPath}?country=${country}`, post({ lowestPriceOf: "ever" }));
  expect((await ask("US")).status).toBe(200);
  const { status, json } = await ask("BR");
  expect(status).toBe(503);
  expect(json).toHaveProperty(
    "message",
    "The search service does not support lowestPriceOf yet; try again later.",
  );
});

test("a title is searched, and an empty price is one without bounds", async () => {
  await stack().ask(searchPath, post({ title: "moon", price: {} }));
  expect(stack().services.requestOf("searchOffers")).toMatchObject({
    query: { title: "moon", price: {} },
  });
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

test.for(odd)("%j is accepted: %s", async ([body]) => {
  const { status } = await stack().ask(searchPath, post(body));
  expect(status).toBe(200);
});

test.for([searchPath, "/search"])("%s: the region is that of country, cookie, US", async (path) => {
  const regionOf = async (query: string, headers: Record<string, string> = {}) => {
    stack().services.calls.length = 0;
    const options = post({});
    const response = await stack().ask(`${path}${query}`, {
      ...options,
      headers: { ...options.headers, ...headers },
    });
    expect(response.status).toBe(200);
    return stack().services.requestOf("searchOffers")?.["region"];
  };
  expect(await regionOf("?country=de")).toBe("EURO");
  expect(await regionOf("", { cookie: "CATALOG_COUNTRY=DE" })).toBe("EURO");
  expect(await regionOf("", { cookie: "CATALOG_COUNTRY=XX" })).toBe("US");
  expect(await regionOf("?country=XX", { cookie: "CATALOG_COUNTRY=DE" })).toBe("US");
  expect(await regionOf("")).toBe("US");
});

const reads: [method: string, path: string, body: object | undefined][] = [
  ["searchOffers", searchPath, {}],
  ["searchOffers", "/search", {}],
  ["saveQuery", "/search", {}],
  ["getSavedQuery", `/search/${savedQueryId}`, undefined],
  ["countFacets", `/search/${savedQueryId}/count`, undefined],
];

test.for(reads)("without its engine %s makes %s 503", async ([method, path, body]) => {
  stack().services.interfere.set(method, () =>
    Promise.reject(unavailable("search engine", new Error("unavailable"))),
  );
  const { status, json, headers } = await stack().ask(path, body && post(body));
  expect(status).toBe(503);
  expect(json).toHaveProperty("error", "UNAVAILABLE");
  expect(headers["retry-after"]).toBeDefined();
});

test.for([
  [searchPath, {}],
  ["/search", {}],
  [meaningPath, { query: "x" }],
] as const)(
  "%s is 200 without prices when pricing fails, 503 without offers",
  async ([path, body]) => {
    stack().services.interfere.set("batchGetPrices", () =>
      Promise.reject(unavailable("database", new Error("unavailable"))),
    );
    const { status, headers } = await stack().ask(path, post(body));
    expect(status).toBe(200);
    expect(headers["catalog-degraded"]).toBe("pricing");
    expect(headers["cache-control"]).toBe("no-store");
    stack().services.interfere.set("batchGetOffers", () =>
      Promise.reject(unavailable("database", new Error("unavailable"))),
    );
    expect((await stack().ask(path, post(body))).status).toBe(503);
  },
);
