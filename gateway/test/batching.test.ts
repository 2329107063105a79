import { expect, test, vi } from "vitest";
import { z } from "zod";
import { asLocale, asOfferId, asRegion } from "@storefront/domain/identifiers";
import { defaultRegion } from "@storefront/domain/regions";
import { createClients } from "../src/upstream/clients.ts";
import type { CallScope } from "../src/upstream/call-scope.ts";
import { operationsOf } from "../src/operations/operations-of.ts";
import { operationEndpoints } from "../src/rest/operation-endpoints.ts";
import { createRouteTable } from "../src/http/route-table.ts";
import { parseTarget } from "../src/http/target.ts";
import { createAdminAccess } from "../src/protection/admin-access.ts";
import { appRouter } from "../src/operations/router.ts";
import { askRaw, post } from "./support/http-client.ts";
import { records } from "./support/records.ts";
import { savedQueryId } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();
const matchRoute = createRouteTable(operationEndpoints(appRouter, createAdminAccess([""])));

const fullId = asOfferId("full");
const bareId = asOfferId("bare");

const byText = (a: string, b: string) => a.localeCompare(b);

const scope = (
  requestId: string,
  leftMs = 5000,
  signal = new AbortController().signal,
): CallScope => ({
  requestId,
  signal,
  traceparent: undefined,
  tracestate: undefined,
  deadlineAt: performance.now() + leftMs,
  upstreamCalls: [],
  reads: undefined,
});

test("lookups of one turn are one batch call, across requests", async () => {
  const clients = createClients(stack().services.urls);
  const found = await Promise.all(
    ["full", "bare", "nope", "full"].map((id, index) =>
      clients.loadOffers(scope(`r${index}`), asLocale("de-DE"), [asOfferId(id)]),
    ),
  );
  expect(found.flat().map((entry) => entry?.offer.id)).toEqual(["full", "bare", undefined, "full"]);
  expect(found[0]?.[0]?.text?.title).toBe("Voll");
  expect(stack().services.calls).toMatchObject([
    { method: "batchGetOffers", request: { offerIds: ["full", "bare", "nope"], locale: "de-DE" } },
  ]);
  expect(stack().services.calls[0]?.headers.get("x-request-id")).toBe("r0,r1,r2,r3");
  await clients.close();
});

test("callbacks of one turn are joined although promise jobs run between them", async () => {
  const clients = createClients(stack().services.urls);
  const fromCallback = (id: string) =>
    new Promise((resolve) => {
      setImmediate(() => resolve(clients.loadOffers(scope(id), "", [asOfferId(id)])));
    });
  await Promise.all([fromCallback("full"), fromCallback("bare")]);
  expect(stack().services.calls).toHaveLength(1);
  await clients.close();
});

test("consecutive lookups are never served from memory", async () => {
  const clients = createClients(stack().services.urls);
  await clients.loadPrices(scope("a"), defaultRegion, [fullId]);
  await clients.loadPrices(scope("b"), defaultRegion, [fullId]);
  expect(stack().services.calls).toHaveLength(2);
  await clients.close();
});

test("lookups in different groups are different calls", async () => {
  const clients = createClients(stack().services.urls);
  await Promise.all(
    ["US", "EURO"].map((region) => clients.loadPrices(scope("a"), asRegion(region), [fullId])),
  );
  expect(stack().services.calls.map(({ request }) => request["region"])).toEqual(["US", "EURO"]);
  await clients.close();
});

test("a batch call has the latest deadline of its requests", async () => {
  const clients = createClients(stack().services.urls);
  await Promise.all([
    clients.loadPrices(scope("a", 1000), defaultRegion, [fullId]),
    clients.loadPrices(scope("b", 4000), defaultRegion, [bareId]),
  ]);
  const timeoutMs = Number(stack().services.calls[0]?.headers.get("connect-timeout-ms"));
  expect(timeoutMs).toBeGreaterThan(3000);
  await clients.close();
});

test("a batch call is aborted when the last of its requests is", async () => {
  const clients = createClients(stack().services.urls);
  const { calls, interfere } = stack().services;
  interfere.set("batchGetPrices", async () => {
    await vi.waitUntil(() => calls[0]?.signal.aborted);
  });
  const [one, other] = [new AbortController(), new AbortController()];
  const lookups = Promise.allSettled([
    clients.loadPrices(scope("a", 5000, one.signal), defaultRegion, [fullId]),
    clients.loadPrices(scope("b", 5000, other.signal), defaultRegion, [bareId]),
  ]);
  await vi.waitUntil(() => calls.length === 1);
  one.abort();
  expect(calls[0]?.signal.aborted).toBe(false);
  other.abort();
  await vi.waitUntil(() => calls[0]?.signal.aborted);
  expect((await lookups).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await clients.close();
});

test("a request without time left fails without a call", async () => {
  const clients = createClients(stack().services.urls);
  await expect(clients.loadPrices(scope("a", -1), defaultRegion, [fullId])).rejects.toMatchObject({
    code: "GATEWAY_TIMEOUT",
  });
  expect(stack().services.calls).toEqual([]);
  await clients.close();
});

test("a batch too large for a message is requested in parts", async () => {
  const clients = createClients(stack().services.urls);
  const ids = ["full", "bare", "too-large", "a/b ü"].map(asOfferId);
  const found = await clients.loadOffers(scope("a"), "", ids);
  expect(found.map((entry) => entry?.offer.id)).toEqual(["full", "bare", undefined, "a/b ü"]);
  await clients.close();
});

test("more ids than a batch holds are requested in several calls", async () => {
  const clients = createClients(stack().services.urls);
  const ids = Array.from({ length: 2001 }, (_none, index) => asOfferId(`offer-${index}`));
  const [some, all] = await Promise.all([
    clients.loadOffers(scope("a"), "", [fullId, asOfferId("offer-1")]),
    clients.loadOffers(scope("b"), "", [...ids, fullId]),
  ]);
  expect(some.map((entry) => entry?.offer.id)).toEqual(["full", undefined]);
  expect(all.at(-1)?.offer.id).toBe("full");
  const sizes = stack().services.calls.map(({ request }) => request["offerIds"]);
  expect(sizes).toMatchObject([{ length: 1000 }, { length: 1000 }, { length: 2 }]);
  await clients.close();
});

test("requests that arrive together are joined into one batch call", async () => {
  const request = (id: number) => `GET /offers/offer-${id} HTTP/1.1\r\nHost: x\r\n`;
  const requests = Array.from({ length: 40 }, (_none, id) => request(id)).join("\r\n");
  const responses = await askRaw(stack().url, `${requests}Connection: close\r\n\r\n`);
  expect(responses.match(/HTTP\/1\.1 404/g)).toHaveLength(40);
  const called = stack().services.calls.map(({ method }) => method);
  expect(called.toSorted(byText)).toEqual(["batchGetOffers", "batchGetPrices"]);
});

const callsOf: [path: string, methods: string[]][] = [
  ["/offers/full", ["batchGetOffers", "batchGetPrices"]],
  ["/offers/full/price?country=DE", ["batchGetOffers", "batchGetPrices"]],
  [
    "/offers/full/overview",
    [
      "batchGetOffers",
      "batchGetPrices",
      "batchGetRatings",
      "getOfferOverview",
      "listOfferGiveaways",
    ],
  ],
  ["/offers/full?lows=true", ["batchGetOffers", "batchGetPrices"]],
  ["/offers/full/price?lows=true", ["batchGetOffers", "batchGetPrices"]],
  [
    "/offers/full/overview?lows=true",
    [
      "batchGetOffers",
      "batchGetPrices",
      "batchGetRatings",
      "getOfferOverview",
      "listOfferGiveaways",
    ],
  ],
  ["/changelist/e2", ["getEntry", "batchGetChangeContexts"]],
  ["/changelist/e1", ["getEntry"]],
  [`/search/${savedQueryId}`, ["getSavedQuery"]],
  [`/search/${savedQueryId}/count`, ["countFacets"]],
];

const context = "batchGetChangeContexts";
const hydration = ["batchGetOffers", "batchGetPrices"];

/** Every list operation, and the calls for a page of any size. */
const callsOfPages: [path: string, methods: string[], body?: object][] = [
  ["/sandboxes/room/assets", ["listSandboxAssets"]],
  ["/sandboxes/room/offers?locale=de-DE", ["listSandboxOffers"]],
  ["/sandboxes", ["listSandboxes"]],
  ["/offers?locale=de-DE", ["listOffers", "batchGetPrices"]],
  ["/offers?lows=true", ["listOffers", "batchGetPrices"]],
  ["/sandboxes/room/changelog", ["getSandbox", "listEntries", context]],
  ["/items", ["listItems"]],
  ["/items/item/builds", ["listItemBuilds"]],
  ["/items/item/changelog", ["getItem", "listEntries", context]],
  ["/offers/full/collection", ["batchGetOffers", ...hydration]],
  ["/offers/full/collection?lows=true", ["batchGetOffers", ...hydration]],
  ["/offers/full/reviews", ["listReviews"]],
  ["/offers/full/price-history", ["batchGetOffers", "listPriceHistory"]],
  ["/offers/full/prices", ["batchGetOffers", "listOfferPrices"]],
  ["/offers/full/prices?lows=true", ["batchGetOffers", "listOfferPrices"]],
  ["/offers/featured-discounts", ["listRankedOffers", "listDiscountedPrices", "batchGetOffers"]],
  ["/price-changes", ["listPriceChanges", "batchGetOffers"]],
  ["/price-changes?after=p1", ["listPriceChanges", "batchGetOffers"]],
  ["/free-games", ["listGiveaways", ...hydration]],
  ["/free-games?lows=true", ["listGiveaways", ...hydration]],
  ["/free-games/mobile", ["listCurrentGiveaways", ...hydration]],
  ["/free-games/mobile?lows=true", ["listCurrentGiveaways", ...hydration]],
  ["/free-games/sellers", ["listGivenAwayOffers", "countOffersBySeller"]],
  ["/search/changelog", ["listEntries", context]],
  ["/search/changelog?query=full", ["searchEntries", "batchGetEntries", context]],
  ["/changelist", ["listEntries", context]],
  ["/changelist?after=e1", ["listEntriesSince", context]],
  ["/changelist?since=2026-01-01", ["listEntriesSince", context]],
  ["/regions", []],
  [
    "/search/v2/search?locale=de-DE",
    ["searchOffers", "searchOffers", ...hydration],
    { limit: 100 },
  ],
  [
    "/search/v2/search?lows=true",
    ["searchOffers", "searchOffers", ...hydration],
    { limit: 100, onSale: true },
  ],
  ["/search?lows=true&country=de&onSale=true", ["searchOffers", "searchOffers", ...hydration]],
  ["/search?lows=true", ["saveQuery", "searchOffers", ...hydration], { limit: 100 }],
  ["/search?locale=de-DE", ["saveQuery", "searchOffers", ...hydration], { limit: 100 }],
  [
    "/search/natural-language?locale=de-DE",
    ["searchOffersByMeaning", ...hydration],
    { query: "moon" },
  ],
  [
    "/search/natural-language?lows=true",
    ["searchOffersByMeaning", ...hydration],
    { query: "moon" },
  ],
  ["/offers/slugs", ["resolveSlugs"], { slugs: ["full", "bare", "full"] }],
  ["/offers/batch?locale=de-DE", hydration, { ids: ["full", "bare", "nope"] }],
  ["/offers/batch", ["batchGetOffers"], { ids: ["full", "bare"], prices: false }],
  ["/offers/batch", ["batchGetOffers"], { ids: ["full", "bare"], fields: ["title"] }],
  [
    "/offers/batch",
    [...hydration, "batchGetRatings"],
    { ids: ["full", "bare"], reviewSummary: true },
  ],
  ["/offers/batch", [], { ids: [] }],
  ["/offers/exists", ["checkOffersExist"], { offers: ["full", "bare"] }],
];

const askFor = (path: string, body: object | undefined) => stack().ask(path, body && post(body));

test.for([...callsOf, ...callsOfPages])(
  "%s takes a fixed number of calls",
  async ([path, methods, body]) => {
    expect((await askFor(path, body)).status).toBe(200);
    // Concurrent calls arrive in any order.
    const called = stack().services.calls.map(({ method }) => method);
    expect(called.toSorted(byText)).toEqual(methods.toSorted(byText));
  },
);

const listMembers = ["elements", "hits", "offers", "matches", "prices"];

test("the calls of every operation that returns a list are counted", () => {
  const counted = new Set(
    callsOfPages.map(([path, , body]) => {
      const { endpoints } = matchRoute(parseTarget(path).segments)?.route ?? {};
      return endpoints?.get(body === undefined ? "GET" : "POST")?.path;
    }),
  );
  const lists = operationsOf(appRouter).filter(
    ({ output }) =>
      output instanceof z.ZodArray ||
      (output instanceof z.ZodObject && listMembers.some((member) => member in output.shape)),
  );
  expect(lists.length).toBeGreaterThan(15);
  expect(lists.map(({ path }) => path).filter((path) => !counted.has(path))).toEqual([]);
});

test("a page of a hundred offers takes as many calls as one of a single offer", async () => {
  const [full] = records.offers;
  if (full === undefined) throw new Error("no offer");
  const before = full.collectionOfferIds;
  const callsWith = async (count: number) => {
    stack().services.calls.length = 0;
    full.collectionOfferIds = Array.from({ length: count }, (_none, index) => `member-${index}`);
    expect((await stack().ask("/offers/full/collection")).status).toBe(200);
    return stack().services.calls.map(({ method }) => method);
  };
  const one = await callsWith(1);
  expect(await callsWith(100)).toHaveLength(one.length);
  full.collectionOfferIds = before;
});
