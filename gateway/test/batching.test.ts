import { expect, test } from "vitest";
import { createClients } from "../src/clients.ts";
import type { CallScope } from "../src/context.ts";
import { askRaw } from "./support/http-client.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const byText = (a: string, b: string) => a.localeCompare(b);

const scope = (requestId: string, leftMs = 5000): CallScope => ({
  requestId,
  traceparent: undefined,
  deadlineAt: performance.now() + leftMs,
  upstreamCalls: [],
});

test("concurrent lookups of one turn are one batch call, whoever asks", async () => {
  const clients = createClients(stack().services.urls);
  const found = await Promise.all(
    ["full", "bare", "nope", "full"].map((id, index) =>
      clients.loadOffer(scope(`r${index}`), "de-DE", id),
    ),
  );
  expect(found.map((entry) => entry?.offer.id)).toEqual(["full", "bare", undefined, "full"]);
  expect(found[0]?.text?.title).toBe("Voll");
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
      setImmediate(() => resolve(clients.loadOffer(scope(id), "", id)));
    });
  await Promise.all([fromCallback("full"), fromCallback("bare")]);
  expect(stack().services.calls).toHaveLength(1);
  await clients.close();
});

test("what requests ask for in turn is never answered from memory", async () => {
  const clients = createClients(stack().services.urls);
  await clients.loadPrice(scope("a"), "US", "full");
  await clients.loadPrice(scope("b"), "US", "full");
  expect(stack().services.calls).toHaveLength(2);
  await clients.close();
});

test("lookups in different groups are different calls", async () => {
  const clients = createClients(stack().services.urls);
  await Promise.all(["US", "EURO"].map((region) => clients.loadPrice(scope("a"), region, "full")));
  expect(stack().services.calls.map(({ request }) => request["region"])).toEqual(["US", "EURO"]);
  await clients.close();
});

test("a batch call lasts as long as the most patient request", async () => {
  const clients = createClients(stack().services.urls);
  await Promise.all([
    clients.loadPrice(scope("a", 1000), "US", "full"),
    clients.loadPrice(scope("b", 4000), "US", "bare"),
  ]);
  const timeoutMs = Number(stack().services.calls[0]?.headers.get("connect-timeout-ms"));
  expect(timeoutMs).toBeGreaterThan(3000);
  await clients.close();
});

test("a request without time left fails without a call", async () => {
  const clients = createClients(stack().services.urls);
  await expect(clients.loadPrice(scope("a", -1), "US", "full")).rejects.toMatchObject({
    code: "GATEWAY_TIMEOUT",
  });
  expect(stack().services.calls).toEqual([]);
  await clients.close();
});

test("a batch too large for a message is asked for in parts", async () => {
  const clients = createClients(stack().services.urls);
  const found = await Promise.all(
    ["full", "bare", "too-large", "a/b ü"].map((id) => clients.loadOffer(scope("a"), "", id)),
  );
  expect(found.map((entry) => entry?.offer.id)).toEqual(["full", "bare", undefined, "a/b ü"]);
  await clients.close();
});

test("requests that come in together are joined into one batch call", async () => {
  const request = (id: number) => `GET /offers/offer-${id} HTTP/1.1\r\nHost: x\r\n`;
  const requests = Array.from({ length: 40 }, (_none, id) => request(id)).join("\r\n");
  const answers = await askRaw(stack().url, `${requests}Connection: close\r\n\r\n`);
  expect(answers.match(/HTTP\/1\.1 404/g)).toHaveLength(40);
  const called = stack().services.calls.map(({ method }) => method);
  expect(called.toSorted(byText)).toEqual(["batchGetOffers", "batchGetPrices"]);
});

const callsOf: [path: string, methods: string[]][] = [
  ["/offers/full", ["batchGetOffers", "batchGetPrices"]],
  ["/offers/full/collection", ["batchGetOffers", "batchGetOffers", "batchGetPrices"]],
  ["/offers/full/price?country=DE", ["batchGetOffers", "batchGetPrices"]],
  ["/offers/featured-discounts", ["listRankedOffers", "listDiscountedPrices", "batchGetOffers"]],
  ["/free-games/mobile", ["listCurrentGiveaways", "batchGetOffers", "batchGetPrices"]],
  ["/free-games/sellers", ["listGivenAwayOffers", "countOffersBySeller"]],
  ["/sandboxes/room/offers?locale=de-DE", ["listSandboxOffers"]],
  ["/offers/full/reviews", ["listReviews"]],
  ["/offers/full/price-history", ["batchGetOffers", "listPriceHistory"]],
  ["/sandboxes/room/changelog", ["getSandbox", "listEntries", "batchGetChangeContexts"]],
  ["/items/item/changelog", ["getItem", "listEntries", "batchGetChangeContexts"]],
  ["/search/changelog", ["listEntries", "batchGetChangeContexts"]],
  ["/search/changelog?query=full", ["searchEntries", "batchGetEntries", "batchGetChangeContexts"]],
  ["/changelist", ["listEntries", "batchGetChangeContexts"]],
  ["/changelist?after=e1", ["listEntriesSince", "batchGetChangeContexts"]],
  ["/changelist/e2", ["getEntry", "batchGetChangeContexts"]],
  ["/changelist/e1", ["getEntry"]],
];

test.for(callsOf)("%s takes a fixed number of calls", async ([path, methods]) => {
  await stack().ask(path);
  // Calls made at once come in any order.
  const called = stack().services.calls.map(({ method }) => method);
  expect(called.toSorted(byText)).toEqual(methods.toSorted(byText));
});
