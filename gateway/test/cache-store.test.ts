import {
  describeUnlessMissing,
  describeWithRedis,
  freePort,
  missingRedis,
  startRedis,
} from "@storefront/testkit";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CacheStore } from "../src/redis/cache-store.ts";
import { createCacheStore } from "../src/redis/cache-store.ts";

// Enough for a busy machine; waiting ends as soon as it can.
const patience = { timeout: 10_000 };

describeWithRedis("cache store", (redis) => {
  const options = () => ({ redisUrl: redis.url() });
  let cache: CacheStore;
  beforeEach(async () => {
    cache = createCacheStore({ ...options(), namespace: randomUUID() });
    await vi.waitFor(() => cache.probe(), patience);
  });
  afterEach(() => cache.close());

  it("returns what was stored", async () => {
    const value = { text: 'a"b\u0000 🙂', list: [1, null, true], empty: {} };
    await cache.set("key: with/odd*characters", value);
    expect(await cache.get("key: with/odd*characters")).toEqual(value);
  });

  it("distinguishes bytes from text", async () => {
    await cache.set("bytes", Buffer.from([0, 255, 10]));
    await cache.set("text", ":base64:AP8K");
    expect(await cache.get("bytes")).toEqual(Buffer.from([0, 255, 10]));
    expect(await cache.get("text")).toBe(":base64:AP8K");
  });

  it("drops a value after its lifetime", async () => {
    await cache.set("short", "value", 1);
    await cache.set("long", "value", 60_000);
    await vi.waitFor(async () => expect(await cache.get("short")).toBeUndefined(), patience);
    expect(await cache.get("long")).toBe("value");
  });

  it("separates namespaces", async () => {
    const other = createCacheStore({ ...options(), namespace: randomUUID() });
    await vi.waitFor(() => other.probe(), patience);
    await cache.set("key", "mine");
    expect(await other.get("key")).toBeUndefined();
    await other.close();
  });

  it("closes twice without harm", async () => {
    await cache.close();
    expect(await cache.close()).toBeUndefined();
  });
});

describeUnlessMissing("a cache whose Redis is lost", missingRedis(), () => {
  it("starts without it, connects, survives its loss, and reconnects", async () => {
    const port = await freePort();
    const logger = { warn: vi.fn<(details: object, message: string) => void>() };
    const cache = createCacheStore({ redisUrl: `redis://127.0.0.1:${port}`, logger });
    await expect(cache.probe()).rejects.toThrow(Error);
    await cache.set("key", "lost");
    expect(await cache.get("key")).toBeUndefined();

    const first = await startRedis(port);
    await vi.waitFor(() => cache.probe(), patience);
    await cache.set("key", "kept");
    expect(await cache.get("key")).toBe("kept");

    await first.stop();
    await vi.waitFor(() => expect(cache.probe()).rejects.toThrow(Error), patience);
    expect(await cache.get("key")).toBeUndefined();
    await cache.set("key", "lost");
    // Before another one starts, so that the loss is noticed.
    await vi.waitFor(() => expect(logger.warn).toHaveBeenCalledTimes(3), patience);

    const second = await startRedis(port);
    await vi.waitFor(() => cache.probe(), patience);
    expect(await cache.get("key")).toBeUndefined();
    expect(logger.warn).toHaveBeenCalledTimes(4);
    await cache.close();
    await second.stop();
  });

  it("closes while Redis is unavailable", async () => {
    const cache = createCacheStore({ redisUrl: `redis://127.0.0.1:${await freePort()}` });
    await cache.close();
    await expect(cache.probe()).rejects.toThrow(Error);
  });
});
