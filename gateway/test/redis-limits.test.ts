import {
  describeUnlessMissing,
  describeWithRedis,
  freePort,
  missingRedis,
  startRedis,
} from "@storefront/testkit";
import { createLogger } from "@storefront/telemetry";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { createRedisCounter } from "../src/protection/redis-counter.ts";

const windowMs = 60_000;
const patience = { timeout: 10_000 };
const silent = createLogger({ service: "gateway", level: "silent" });

describeWithRedis("limits of several gateways", (redis) => {
  it("count together, and begin anew after the window", async () => {
    const client = randomUUID();
    const [one, two] = [1, 2].map(() => createRedisCounter(redis.url(), 500, silent));
    if (one === undefined || two === undefined) throw new Error("no counters");
    // Until they are connected each counts by itself.
    await vi.waitFor(async () => {
      const probe = randomUUID();
      await one.add(probe, 1);
      expect(await two.add(probe, 1)).toMatchObject({ count: 2 });
    }, patience);
    const counts = await Promise.all(
      Array.from({ length: 50 }, async (_none, place) => {
        const { count } = await (place % 2 === 0 ? one : two).add(client, 1);
        return count;
      }),
    );
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_n, i) => i + 1));
    const { resetsInMs } = await one.add(client, 5);
    expect(resetsInMs).toBeGreaterThan(0);
    expect(resetsInMs).toBeLessThanOrEqual(500);
    await vi.waitFor(async () => {
      expect((await two.add(client, 1)).count).toBeLessThan(50);
    }, patience);
    await Promise.all([one.close(), two.close()]);
  });
});

describeUnlessMissing("limits and a Redis that is lost", missingRedis(), () => {
  it("go on by themselves, and come back with it", async () => {
    const port = await freePort();
    const first = await startRedis(port);
    const counter = createRedisCounter(first.url, windowMs, silent);
    const other = createRedisCounter(first.url, windowMs, silent);
    const areTogether = async () => {
      const client = randomUUID();
      await counter.add(client, 1);
      expect(await other.add(client, 1)).toMatchObject({ count: 2 });
    };
    await vi.waitFor(areTogether, patience);
    await first.stop();
    const client = randomUUID();
    expect(await counter.add(client, 1)).toMatchObject({ count: 1 });
    expect(await counter.add(client, 1)).toMatchObject({ count: 2 });
    const second = await startRedis(port);
    await vi.waitFor(areTogether, patience);
    await Promise.all([counter.close(), other.close()]);
    await second.stop();
  });

  it("wait but a moment for one that falls silent", async () => {
    const redis = await startRedis();
    const { port } = new URL(redis.url);
    // A way to Redis that can be blocked.
    const sockets: Socket[] = [];
    const relay = createServer((near) => {
      const far = connect({ host: "127.0.0.1", port: Number(port) });
      near.pipe(far).pipe(near);
      sockets.push(near, far);
      near.on("error", () => far.destroy());
      far.on("error", () => near.destroy());
    });
    relay.listen(0, "127.0.0.1");
    await once(relay, "listening");
    const relayPort = (relay.address() as AddressInfo).port;
    const counter = createRedisCounter(`redis://127.0.0.1:${relayPort}`, windowMs, silent);
    const direct = createRedisCounter(redis.url, windowMs, silent);
    await vi.waitFor(async () => {
      const client = randomUUID();
      await counter.add(client, 1);
      expect(await direct.add(client, 1)).toMatchObject({ count: 2 });
    }, patience);
    let commands = 0;
    for (const socket of sockets) {
      socket.unpipe().on("data", () => commands++);
      socket.resume();
    }
    const client = randomUUID();
    for (let count = 1; count <= 20; count++) {
      expect(await counter.add(client, 1)).toMatchObject({ count });
    }
    expect(commands).toBeGreaterThan(0);
    expect(commands).toBeLessThan(10);
    for (const socket of sockets) socket.destroy();
    await Promise.all([counter.close(), direct.close()]);
    relay.close();
    await redis.stop();
  });
});

describe("limits and a Redis that was never there", () => {
  it("are counted in the process, and closed without harm", async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const counter = createRedisCounter(url, windowMs, silent);
    expect(await counter.add("client", 2)).toMatchObject({ count: 2 });
    expect(await counter.add("client", 1)).toMatchObject({ count: 3 });
    await counter.close();
  });
});
