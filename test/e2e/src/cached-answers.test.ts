import { startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fetchDocumented } from "./fetch-documented.ts";

// Time limit for a busy machine; a wait ends as soon as its condition holds.
const patience = { timeout: 20_000 };

let observed = 0;

/** An observation, newer than all before it. */
const line = (kind: string, record: object) => {
  const observedAt = new Date(Date.UTC(2026, 0, 1) + ++observed * 1000).toISOString();
  return `${JSON.stringify({ kind, op: "upsert", observedAt, record })}\n`;
};

const offer = (id: string, title: string) =>
  line("offer", { id, namespace: `room-${id}`, title, offerType: "BASE_GAME" });

const price = (offerId: string, discountPrice: number) =>
  line("price", {
    offerId,
    region: "US",
    price: { currencyCode: "USD", originalPrice: 1999, discountPrice },
  });

describe("cached responses of the gateway", () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startStack();
    const rooms = ["a", "b"].map((id) => line("sandbox", { id: `room-${id}`, title: id }));
    const offers = ["a", "b"].flatMap((id) => [offer(id, `First ${id}`), price(id, 1999)]);
    await write([...rooms, ...offers].join(""));
  });
  afterAll(() => stack.stop());

  const write = async (lines: string) => {
    const { status } = await stack.cli(["import", "--json", "-"], { stdin: lines });
    expect(status).toBe(0);
  };

  const ask = async (path: string) => {
    const { status, headers, body } = await fetchDocumented(stack.gatewayUrl + path);
    const age = headers.get("age");
    return { status, age, isCached: age !== null, text: body };
  };

  const paths = (id: string) => [
    `/offers/${id}`,
    `/offers/${id}/price`,
    `/offers/${id}/price-history`,
    `/sandboxes/room-${id}/offers`,
  ];

  /** Requests a path until its response has been cached for longer than one without a feed may be. */
  async function untilCached(path: string): Promise<void> {
    await vi.waitUntil(async () => Number((await ask(path)).age) >= 1, patience);
  }

  it("show a committed write within a second, and stay cached if it does not affect them", async () => {
    for (const path of [...paths("a"), ...paths("b")]) await untilCached(path);
    await write(offer("a", "Second a") + price("a", 999));
    // The import ends after the commit, so the gateway has slightly more than the second.
    await expect
      .poll(async () => (await ask("/offers/a")).text, { timeout: 1000, interval: 20 })
      .toMatch(/"title":"Second a".*"discountPrice":999/);
    for (const path of paths("a")) expect((await ask(path)).text).toMatch(/Second a|999/);
    for (const path of paths("b")) expect([path, (await ask(path)).isCached]).toEqual([path, true]);
  });

  it("are served while the services are down, which restart within 10 s", async () => {
    for (const path of paths("b")) await untilCached(path);
    const killed = await stack.servicesPid();
    process.kill(killed, "SIGKILL");
    await expect.poll(async () => (await ask("/health")).status, patience).toBe(503);
    const startMs = performance.now();
    for (const path of paths("b")) {
      expect(await ask(path)).toMatchObject({ status: 200, isCached: true });
    }
    await expect.poll(async () => (await ask("/health")).status, patience).toBe(200);
    expect(performance.now() - startMs).toBeLessThan(10_000);
    expect(await stack.servicesPid()).not.toBe(killed);
    expect((await ask("/items?limit=9")).status).toBe(200);
  });
});
