import { createClient, createRouterTransport } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { createLogger } from "@storefront/process";
import { EventEmitter, on } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { FollowedFeeds } from "../src/cache/followed-feeds.ts";
import { passSeconds } from "./support/clock.ts";

/**
 * Feeds of services that send messages on demand.
 *
 * @param knowsHeartbeats whether their release sends the requested heartbeats
 */
function followSpeakingFeeds(knowsHeartbeats: boolean) {
  const spoken = new EventEmitter();
  const watches = { begun: 0 };
  const transport = createRouterTransport(({ service }) => {
    service(FeedService, {
      async *watchChanges({ heartbeatMs }, { signal }) {
        watches.begun += 1;
        for await (const _ of on(spoken, "message", { signal })) {
          yield knowsHeartbeats ? { heartbeatMs } : {};
        }
      },
    });
  });
  const client = createClient(FeedService, transport);
  const feeds = new FollowedFeeds({
    clients: { catalog: client, pricing: client, reviews: client, changelog: client },
    logger: createLogger({ service: "gateway", level: "silent" }),
    onReplaced: () => undefined,
    onRegions: () => undefined,
  });
  feeds.start();
  onTestFinished(() => feeds.close());
  const verdict = () => feeds.judge([["pricing", ["a tag"]]], feeds.positions());
  const becomeCurrent = () =>
    vi.waitUntil(() => {
      spoken.emit("message");
      return verdict() === "current";
    });
  return { feeds, watches, verdict, becomeCurrent };
}

test("a feed vouches for responses until 750 ms after its last message, and again from the next one", async () => {
  const { feeds, watches, verdict, becomeCurrent } = followSpeakingFeeds(true);
  await becomeCurrent();
  const { version } = feeds;
  passSeconds(0.75);
  expect(feeds.version).not.toBe(version);
  expect(verdict()).toBe("unknown");
  expect(feeds.isLive("pricing")).toBe(false);
  expect(feeds.states().map(([, { isConnected }]) => isConnected)).not.toContain(true);
  await becomeCurrent();
  expect(feeds.isLive("pricing")).toBe(true);
  expect(watches.begun).toBe(feeds.states().length);
});

test("a feed of a release without heartbeats vouches for responses while its stream is open", async () => {
  const { verdict, becomeCurrent } = followSpeakingFeeds(false);
  await becomeCurrent();
  passSeconds(6);
  expect(verdict()).toBe("current");
});
