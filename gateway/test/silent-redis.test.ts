import {
  describeUnlessMissing,
  missingRedis,
  openFaultyLink,
  startRedis,
} from "@storefront/testkit";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import type { CacheStore } from "../src/redis/cache-store.ts";
import { createCacheStore } from "../src/redis/cache-store.ts";

// The limit is 1 s; a busy machine may take longer to notice.
const boundMs = 3_000;
const patience = { timeout: 10_000 };

/** Uses a cache that never responds; returns the milliseconds that it took. */
async function timeToContinue(cache: CacheStore): Promise<number> {
  const startedAt = performance.now();
  const responses = [cache.get("key"), cache.set("key", "lost")];
  await expect(cache.probe()).rejects.toThrow(Error);
  expect(await Promise.all(responses)).toEqual([undefined, undefined]);
  // A silent Redis is not asked again at once.
  for (let call = 0; call < 20; call++) expect(await cache.get("key")).toBeUndefined();
  return performance.now() - startedAt;
}

/** Closes the cache during a probe; returns the milliseconds that it took. */
async function timeToClose(cache: CacheStore): Promise<number> {
  const startedAt = performance.now();
  const pending = cache.probe();
  await Promise.all([cache.close(), expect(pending).rejects.toThrow(Error)]);
  return performance.now() - startedAt;
}

describe("a cache whose Redis accepts connections and never responds", () => {
  it("delays no caller, and closes", async () => {
    const server = createServer((socket) => void socket.resume()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const cache = createCacheStore({ redisUrl: `redis://127.0.0.1:${port}` });
    await once(server, "connection");
    expect(await timeToContinue(cache)).toBeLessThan(boundMs);
    expect(await timeToClose(cache)).toBeLessThan(boundMs);
    server.close();
  });
});

describeUnlessMissing("a cache whose Redis falls silent", missingRedis(), () => {
  it("delays no caller, recovers, and closes while it is silent", async () => {
    const redis = await startRedis();
    const link = await openFaultyLink(() => Number(new URL(redis.url).port));
    const cache = createCacheStore({ redisUrl: `redis://127.0.0.1:${link.port}` });
    await vi.waitFor(() => cache.probe(), patience);
    await cache.set("key", "kept");

    link.stall();
    expect(await timeToContinue(cache)).toBeLessThan(boundMs);

    link.heal();
    await vi.waitFor(() => cache.probe(), patience);
    await cache.set("key", "found");
    expect(await cache.get("key")).toBe("found");

    link.stall();
    expect(await timeToClose(cache)).toBeLessThan(boundMs);
    await link.close();
    await redis.stop();
  });
});
