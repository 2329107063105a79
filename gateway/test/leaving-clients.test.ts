import { expect, test, vi } from "vitest";
import { askAndLeave, hold } from "./support/held-calls.ts";
import { post } from "./support/http-client.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";
import type { TestStack } from "./support/start-stack.ts";

const stack = useStack();
const caching = useCachingStack();

const search = "/search/v2/search";
const trpcSearch = "/trpc/search.searchOffers?input=%7B%7D";

test.for([
  ["REST", stack, search, post({})],
  ["REST with a cache", caching, search, post({})],
  ["tRPC", stack, trpcSearch, {}],
  ["tRPC with a cache", caching, trpcSearch, {}],
] as const)(
  "%s: the upstream calls of a client that leaves are aborted",
  async ([, current, path, options]) => {
    const { begun } = hold(current(), "searchOffers");
    const client = askAndLeave(current(), path, options);
    // One for the offers and one for the counts.
    await vi.waitUntil(() => begun().length === 2);
    expect(begun().some(({ signal }) => signal.aborted)).toBe(false);
    await client.leave();
    await vi.waitUntil(() => begun().every(({ signal }) => signal.aborted));
  },
);

test("a response that others wait for is made although the first client leaves", async () => {
  const { begun, release } = hold(caching(), "listItems");
  const first = askAndLeave(caching(), "/items");
  await vi.waitUntil(() => begun().length === 1);
  const second = caching().ask("/items?page=1");
  await vi.waitUntil(async () => (await inFlight(caching())) === 2);
  await first.leave();
  await vi.waitUntil(async () => (await inFlight(caching())) === 1);
  expect(begun()[0]?.signal.aborted).toBe(false);
  release();
  expect((await second).status).toBe(200);
  expect(begun()).toHaveLength(1);
});

test("a response that all clients leave is aborted, and made again for the next client", async () => {
  const { begun, release } = hold(caching(), "listItems");
  const first = askAndLeave(caching(), "/items");
  await vi.waitUntil(() => begun().length === 1);
  await first.leave();
  await vi.waitUntil(() => begun()[0]?.signal.aborted);
  release();
  expect((await caching().ask("/items")).status).toBe(200);
});

test.for([
  ["/offers/full", "batchGetPrices", 1000],
  ["/offers/full/overview", "getOfferOverview", 1000],
  ["/changelist/e2", "batchGetChangeContexts", 250],
] as const)(
  "%s: the call for a part with a budget has it as its deadline",
  async ([path, method, budgetMs]) => {
    expect((await stack().ask(path)).status).toBe(200);
    const call = stack().services.calls.find((made) => made.method === method);
    expect(Number(call?.headers.get("connect-timeout-ms"))).toBeLessThanOrEqual(budgetMs);
  },
);

/** Requests in progress on the public port. */
async function inFlight({ metricsUrl }: TestStack): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^http_server_requests_in_flight(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1]);
}
