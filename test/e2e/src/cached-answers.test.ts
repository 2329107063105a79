import { startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fetchDocumented } from "./fetch-documented.ts";

// How long a busy machine may take; waiting ends as soon as it can.
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

describe("responses that the gateway keeps", () => {
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
    return { status, age, isKept: age !== null, text: body };
  };

  const paths = (id: string) => [
    `/offers/${id}`,
    `/offers/${id}/price`,
    `/offers/${id}/price-history`,
    `/sandboxes/room-${id}/offers`,
  ];

  /** Asks until the response has been kept for longer than one is that no feed vouches for. */
  async function keep(path: string): Promise<void> {
    await vi.waitUntil(async () => Number((await ask(path)).age) >= 1, patience);
  }

  it("show a committed write within a second, and keep what it does not touch", async () => {
    for (const path of [...paths("a"), ...paths("b")]) await keep(path);
    await write(offer("a", "Second a") + price("a", 999));
    // The import gets a response after the commit, so all of its time counts for the gateway.
    await expect
      .poll(async () => (await ask("/offers/a")).text, { timeout: 1000, interval: 20 })
      .toMatch(/"title":"Second a".*"discountPrice":999/);
    for (const path of paths("a")) expect((await ask(path)).text).toMatch(/Second a|999/);
    for (const path of paths("b")) expect([path, (await ask(path)).isKept]).toEqual([path, true]);
  });

  it("are given while the services are killed, which are back within 10 s", async () => {
    for (const path of paths("b")) await keep(path);
    const killed = await stack.servicesPid();
    process.kill(killed, "SIGKILL");
    await expect.poll(async () => (await ask("/health")).status, patience).toBe(503);
    const startMs = performance.now();
    for (const path of paths("b")) {
      expect(await ask(path)).toMatchObject({ status: 200, isKept: true });
    }
    await expect.poll(async () => (await ask("/health")).status, patience).toBe(200);
    expect(performance.now() - startMs).toBeLessThan(10_000);
    expect(await stack.servicesPid()).not.toBe(killed);
    expect((await ask("/items?limit=9")).status).toBe(200);
  });
});
