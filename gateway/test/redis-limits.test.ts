import {
  describeUnlessMissing,
  describeWithRedis,
  freePort,
  missingRedis,
  startRedis,
} from "@storefront/testkit";
import { createClient } from "@redis/client";
import { createLogger } from "@storefront/process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { createRedisCounter } from "../src/protection/redis-counter.ts";
import type { RequestCounter, Usage } from "../src/protection/request-counter.ts";

const windowMs = 60_000;
const patience = { timeout: 10_000 };
const silent = createLogger({ service: "gateway", level: "silent" });

const limit = 100;
/** More than the tenth of the limit that a gateway admits without asking Redis. */
const much = 20;

async function expectTogether(one: RequestCounter, two: RequestCounter): Promise<void> {
  const probe = randomUUID();
  await one.take(probe, much, limit);
  expect(await two.take(probe, much, limit)).toMatchObject({ left: limit - 2 * much });
}

/** Waits until two counters count together; each counts alone until it is connected. */
async function untilTogether(one: RequestCounter, two: RequestCounter): Promise<void> {
  await vi.waitFor(() => expectTogether(one, two), patience);
}

/** How release 0.2.0 counts; its gateways run beside new ones during a rollout. */
const scriptBefore = `
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
local endsIn = redis.call('PTTL', KEYS[1])
if endsIn < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  endsIn = tonumber(ARGV[2])
end
return { count, endsIn }`;

describeWithRedis("limits of several gateways", (redis) => {
  const counters = async (windowLengthMs = windowMs) => {
    const [one, two] = [1, 2].map(() => createRedisCounter(redis.url(), windowLengthMs, silent));
    if (one === undefined || two === undefined) throw new Error("no counters");
    await untilTogether(one, two);
    return { one, two, close: () => Promise.all([one.close(), two.close()]) };
  };

  it("count together, and restart after the window", async () => {
    const { one, two, close } = await counters(2000);
    const client = randomUUID();
    expect(await one.take(client, 60, limit)).toMatchObject({ isAdmitted: true, left: 40 });
    expect(await two.take(client, 41, limit)).toMatchObject({ isAdmitted: false, left: 40 });
    const { isAdmitted, left, resetsInMs } = await two.take(client, 40, limit);
    expect({ isAdmitted, left }).toEqual({ isAdmitted: true, left: 0 });
    expect(resetsInMs).toBeGreaterThan(0);
    expect(resetsInMs).toBeLessThanOrEqual(2000);
    await vi.waitFor(async () => {
      expect(await two.take(client, much, limit)).toMatchObject({ isAdmitted: true });
    }, patience);
    await close();
  });

  it("count together with gateways of the release before, which counts what it refuses", async () => {
    const { one, close } = await counters();
    const redisOfBefore = createClient({ url: redis.url() });
    await redisOfBefore.connect();
    const client = randomUUID();
    const takeBefore = (cost: number) =>
      redisOfBefore.eval(scriptBefore, {
        keys: [`storefront:rate:${client}`],
        arguments: [String(cost), String(windowMs)],
      });
    await takeBefore(60);
    expect(await one.take(client, much, limit)).toMatchObject({ isAdmitted: true, left: 20 });
    expect(await takeBefore(20)).toEqual([100, expect.any(Number)]);
    expect(await takeBefore(50)).toEqual([150, expect.any(Number)]);
    const { isAdmitted, left, resetsInMs } = await one.take(client, much, limit);
    expect({ isAdmitted, left }).toEqual({ isAdmitted: false, left: 0 });
    expect(resetsInMs).toBeLessThanOrEqual(windowMs);
    redisOfBefore.destroy();
    await close();
  });

  it("do not wait for Redis, and soon count together", async () => {
    const { one, two, close } = await counters();
    const client = randomUUID();
    expect(await one.take(client, 90, limit)).toMatchObject({ isAdmitted: true });
    // Not a promise: `two` has not asked Redis.
    expect(two.take(client, 1, limit)).toMatchObject({ isAdmitted: true, left: 99 });
    let given = 91;
    await vi.waitFor(() => {
      const { isAdmitted, left } = at(two.take(client, 1, limit));
      if (isAdmitted) given += 1;
      expect(left).toBe(limit - given);
    }, patience);
    await close();
  });

  it("admit at most a tenth of the limit more per gateway, however fast a client is", async () => {
    const { one, two, close } = await counters();
    // A Redis that is slow on a busy machine is not used for a second, and each gateway counts alone. In a shorter
    // run they count together if they do so before and after it. The usages are checked once.
    const { client, usages } = await vi.waitFor(async () => {
      await untilTogether(one, two);
      const startedAt = performance.now();
      const run = await takeByTurns(one, two, 400);
      await expectTogether(one, two);
      expect(performance.now() - startedAt).toBeLessThan(1000);
      return run;
    }, patience);
    const admitted = usages.filter(({ isAdmitted }) => isAdmitted).length;
    expect(admitted).toBeGreaterThanOrEqual(limit);
    expect(admitted).toBeLessThanOrEqual(limit + 2 * (limit / 10));
    await vi.waitFor(() => {
      for (const counter of [one, two]) {
        expect(counter.take(client, 1, limit)).toMatchObject({ isAdmitted: false, left: 0 });
      }
    });
    await close();
  });
});

/** The usages of a new client that sends all requests to both counters at once. */
async function takeByTurns(one: RequestCounter, two: RequestCounter, count: number) {
  const client = randomUUID();
  const counters = Array.from({ length: count }, (_none, index) => (index % 2 === 0 ? one : two));
  const usages = await Promise.all(
    counters.map(async (counter) => await counter.take(client, 1, limit)),
  );
  return { client, usages };
}

/** A usage that is known without waiting. */
function at(usage: Usage | Promise<Usage>): Usage {
  if (usage instanceof Promise) throw new Error("waits for Redis");
  return usage;
}

describeUnlessMissing("limits and a Redis that is lost", missingRedis(), () => {
  it("continue alone, and together again once it is back", async () => {
    const port = await freePort();
    const first = await startRedis(port);
    const counter = createRedisCounter(first.url, windowMs, silent);
    const other = createRedisCounter(first.url, windowMs, silent);
    await untilTogether(counter, other);
    await first.stop();
    const client = randomUUID();
    expect(await counter.take(client, 1, 100)).toMatchObject({ left: 99 });
    expect(await counter.take(client, 1, 100)).toMatchObject({ left: 98 });
    const second = await startRedis(port);
    await untilTogether(counter, other);
    await Promise.all([counter.close(), other.close()]);
    await second.stop();
  });

  it("wait only briefly for one that falls silent", async () => {
    const redis = await startRedis();
    const { port } = new URL(redis.url);
    // A relay to Redis that can be blocked.
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
    await untilTogether(counter, direct);
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

describe("limits and a Redis that was never reachable", () => {
  it("are counted in the process, and close cleanly", async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const counter = createRedisCounter(url, windowMs, silent);
    expect(await counter.take("client", 2, 100)).toMatchObject({ left: 98 });
    expect(await counter.take("client", 1, 100)).toMatchObject({ left: 97 });
    await counter.close();
  });
});
