import { createClient, createRouterTransport } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { createTransport } from "@storefront/rpc";
import { createLogger } from "@storefront/process";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { followFeedTail } from "../src/cache/feed-tail.ts";
import type { FeedCursor } from "../src/cache/feed-tail.ts";
import { passSeconds } from "./support/clock.ts";
import { startServices } from "./support/start-services.ts";

/** A followed feed whose service begins watches, but sends no message before `speak`. */
function followSilentFeed() {
  const { promise: spoken, resolve: speak } = Promise.withResolvers<void>();
  const watches = { begun: 0 };
  const transport = createRouterTransport(({ service }) => {
    service(FeedService, {
      async *watchChanges(_request, { signal }) {
        watches.begun += 1;
        await spoken;
        yield {};
        const { promise: ended, resolve: end } = Promise.withResolvers<void>();
        signal.addEventListener("abort", () => end());
        if (!signal.aborted) await ended;
      },
    });
  });
  const nothing = () => undefined;
  const tail = followFeedTail({
    feed: "pricing",
    client: createClient(FeedService, transport),
    logger: createLogger({ service: "gateway", level: "silent" }),
    onBegin: nothing,
    onEntries: nothing,
  });
  tail.start();
  onTestFinished(() => tail.close());
  /** The service responds to other calls every other time. */
  const respondOften = async () => {
    for (let time = 0; time < 20; time++) {
      tail.reconnect();
      await turn();
    }
  };
  return { tail, watches, speak, respondOften };
}

test("a watch has a second for its first message, however often its service responds meanwhile", async () => {
  const { tail, watches, speak, respondOften } = followSilentFeed();
  await vi.waitUntil(() => watches.begun === 1);
  await respondOften();
  speak();
  await vi.waitUntil(() => tail.state().isConnected);
  expect(watches.begun).toBe(1);
});

test("a watch that hangs restarts when its service responds, and then has its full time", async () => {
  const { tail, watches, speak, respondOften } = followSilentFeed();
  await vi.waitUntil(() => watches.begun === 1);
  passSeconds(2);
  tail.reconnect();
  await vi.waitUntil(() => watches.begun === 2);
  for (let time = 0; time < 3; time++) {
    passSeconds(2);
    await respondOften();
  }
  speak();
  await vi.waitUntil(() => tail.state().isConnected);
  expect(watches.begun).toBe(2);
});

/** Follows a log from a cursor; returns where it began without earlier knowledge, and the sequences of entries. */
async function followFrom(url: string, from: FeedCursor) {
  const transport = createTransport({ baseUrl: url, maxConnections: 2 });
  const begun: number[] = [];
  const followed: number[] = [];
  const tail = followFeedTail({
    feed: "catalog",
    client: createClient(FeedService, transport),
    logger: createLogger({ service: "gateway", level: "silent" }),
    from,
    onBegin: ({ sequence }) => begun.push(sequence),
    onEntries: (entries) => followed.push(...entries.map(({ sequence }) => Number(sequence))),
  });
  tail.start();
  await vi.waitUntil(() => tail.state().isConnected);
  await tail.close();
  await transport.close();
  return { begun, followed };
}

test("a feed is followed from a cursor, or from now on if the log does not reach back to it", async () => {
  const services = await startServices();
  onTestFinished(() => services.close());
  const { catalog: url } = services.urls;
  const start = { sequence: 0, identity: "", logId: "" };
  expect(await followFrom(url, start)).toEqual({ begun: [], followed: [1, 2, 3] });
  const fromNow = { begun: [3], followed: [] };
  expect(await followFrom(url, { ...start, logId: "of another log" })).toEqual(fromNow);
  expect(await followFrom(url, { ...start, sequence: 2, identity: "lost" })).toEqual(fromNow);
  services.feeds.catalog.prunedUpTo = 2n;
  expect(await followFrom(url, start)).toEqual(fromNow);
});
