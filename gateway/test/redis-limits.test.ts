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
      await one.take(probe, 1, 100);
      expect(await two.take(probe, 1, 100)).toMatchObject({ left: 98 });
    }, patience);
    const usages = await Promise.all(
      Array.from(
        { length: 50 },
        async (_none, place) => await (place % 2 === 0 ? one : two).take(client, 1, 40),
      ),
    );
    expect(usages.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(40);
    const { left, resetsInMs } = await one.take(client, 5, 44);
    expect(left).toBe(4);
    expect(resetsInMs).toBeGreaterThan(0);
    expect(resetsInMs).toBeLessThanOrEqual(500);
    expect(await two.take(client, 4, 44)).toMatchObject({ isAdmitted: true, left: 0 });
    await vi.waitFor(async () => {
      expect(await two.take(client, 1, 40)).toMatchObject({ isAdmitted: true });
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
      await counter.take(client, 1, 100);
      expect(await other.take(client, 1, 100)).toMatchObject({ left: 98 });
    };
    await vi.waitFor(areTogether, patience);
    await first.stop();
    const client = randomUUID();
    expect(await counter.take(client, 1, 100)).toMatchObject({ left: 99 });
    expect(await counter.take(client, 1, 100)).toMatchObject({ left: 98 });
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
      await counter.take(client, 1, 100);
      expect(await direct.take(client, 1, 100)).toMatchObject({ left: 98 });
    }, patience);
    let commands = 0;
    for (const socket of sockets) {
      socket.unpipe().on("data", () => commands++);
      socket.resume();
    }
    const client = randomUUID();
    for (let count = 1; count <= 20; count++) {
      expect(await counter.take(client, 1, 100)).toMatchObject({ left: 100 - count });
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
    expect(await counter.take("client", 2, 100)).toMatchObject({ left: 98 });
    expect(await counter.take("client", 1, 100)).toMatchObject({ left: 97 });
    await counter.close();
  });
});
