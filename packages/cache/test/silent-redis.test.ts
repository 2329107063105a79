import { describeUnlessMissing, missingRedis, startRedis } from "@storefront/testkit";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import type { CacheStore } from "../src/index.ts";
import { createCacheStore } from "../src/index.ts";

// The limit is 1 s; a busy machine may take longer to notice.
const boundMs = 3_000;
const patience = { timeout: 10_000 };

/** A server on a free port. */
async function listen(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    onSocket(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `redis://127.0.0.1:${address.port}`,
    sockets,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Uses the cache, which answers nothing; how long that took, in milliseconds. */
async function timeToGoOn(cache: CacheStore): Promise<number> {
  const startedAt = performance.now();
  const answers = [cache.get("key"), cache.set("key", "lost")];
  await expect(cache.probe()).rejects.toThrow(Error);
  expect(await Promise.all(answers)).toEqual([undefined, undefined]);
  // What is known to be silent is not asked again at once.
  for (let call = 0; call < 20; call++) expect(await cache.get("key")).toBeUndefined();
  return performance.now() - startedAt;
}

/** Closes the cache while it is asked; how long that took, in milliseconds. */
async function timeToClose(cache: CacheStore): Promise<number> {
  const startedAt = performance.now();
  const pending = cache.probe();
  await Promise.all([cache.close(), expect(pending).rejects.toThrow(Error)]);
  return performance.now() - startedAt;
}

describe("a cache whose Redis accepts connections and never answers", () => {
  it("holds nobody up, and closes", async () => {
    const accepted = Promise.withResolvers<void>();
    const silent = await listen((socket) => {
      socket.resume();
      accepted.resolve();
    });
    const cache = createCacheStore({ redisUrl: silent.url });
    await accepted.promise;
    expect(await timeToGoOn(cache)).toBeLessThan(boundMs);
    expect(await timeToClose(cache)).toBeLessThan(boundMs);
    silent.close();
  });
});

describeUnlessMissing("a cache whose Redis falls silent", missingRedis(), () => {
  it("holds nobody up, finds it again, and closes while it is silent", async () => {
    const redis = await startRedis();
    const { port } = new URL(redis.url);
    // A way to Redis that can be blocked and freed.
    const ways = new Map<Socket, Socket>();
    const relay = await listen((near) => {
      const far = connect({ host: "127.0.0.1", port: Number(port) });
      far.on("error", () => near.destroy());
      near.on("close", () => far.destroy());
      near.pipe(far);
      far.pipe(near);
      ways.set(near, far);
    });
    const cache = createCacheStore({ redisUrl: relay.url });
    await vi.waitFor(() => cache.probe(), patience);
    await cache.set("key", "kept");

    for (const far of ways.values()) far.unpipe();
    expect(await timeToGoOn(cache)).toBeLessThan(boundMs);

    for (const [near, far] of ways) far.pipe(near);
    await vi.waitFor(() => cache.probe(), patience);
    await cache.set("key", "found");
    expect(await cache.get("key")).toBe("found");

    for (const far of ways.values()) far.unpipe();
    expect(await timeToClose(cache)).toBeLessThan(boundMs);
    relay.close();
    await redis.stop();
  });
});
