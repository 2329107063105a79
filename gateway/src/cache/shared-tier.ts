import { settledWithin } from "@storefront/call-scope";
import type { CacheStore } from "../redis/cache-store.ts";
import { hash } from "node:crypto";
import { z } from "zod";
import { feedNames } from "@storefront/config";
import type { Reads } from "../tags/read-log.ts";
import type { Positions } from "./followed-feeds.ts";

/** A response as gateways share it. */
export interface SharedResponse {
  body: Buffer;
  reads: Reads;
  begunAt: Positions;
  /** How long ago its making began, in milliseconds. */
  ageMs: number;
}

/**
 * What gateways know of each other's responses. Its loss costs speed only. `logs` names the logs that
 * the positions of responses are of.
 */
export interface SharedTier {
  /** Undefined when there is none, and when the cache is away or slow. */
  read(logs: string, key: string): Promise<SharedResponse | undefined>;
  /** Does not wait, and does not fail. */
  write(logs: string, key: string, response: SharedResponse): void;
}

/** As long as a response is given while writes are known, unless it outlasted an outage. */
const ttlMs = 360_000;
/** Longest that a request waits for the cache; making a response takes no longer. */
const readBudgetMs = 50;
/** Largest body that is shared; the cache takes it as text, in one piece. */
const bodyMaxBytes = 2 ** 20;
/** How long a cache that was too slow is left alone. */
const pauseMs = 2000;

const zFeedName = z.enum(feedNames);

const zPosition = z.object({ sequence: z.number(), identity: z.string() });

const zStored = z.object({
  body: z.instanceof(Buffer),
  reads: z.array(z.tuple([zFeedName, z.array(z.string())])),
  begunAt: z.partialRecord(zFeedName, zPosition),
  /** Milliseconds since 1970. */
  madeAt: z.number(),
});

/**
 * Shares responses through a cache. They carry what they were made of and where the feeds stood then,
 * so that each gateway judges them by the feeds that it follows itself: what a write has touched is
 * never given again, whoever wrote it into the cache, and however long a gateway was away.
 *
 * @param namespace tells apart gateways that may answer differently, as those of other code do
 */
export function createSharedTier(cache: CacheStore, namespace: string): SharedTier {
  let pausedUntil = 0;
  // Keys hold whatever clients ask for.
  const storedKeyOf = (logs: string, key: string) =>
    `${namespace} ${hash("sha256", `${logs} ${key}`, "base64url")}`;
  return {
    async read(logs, key) {
      if (performance.now() < pausedUntil) return undefined;
      const read = cache.get(storedKeyOf(logs, key)).catch(() => undefined);
      const value = await settledWithin(readBudgetMs, read, () => {
        pausedUntil = performance.now() + pauseMs;
      });
      const stored = zStored.safeParse(value);
      if (!stored.success) return undefined;
      const { madeAt, ...response } = stored.data;
      return { ...response, ageMs: Math.max(0, Date.now() - madeAt) };
    },
    write(logs, key, { ageMs, ...response }) {
      if (performance.now() < pausedUntil || response.body.length > bodyMaxBytes) return;
      const stored = { ...response, madeAt: Date.now() - ageMs };
      cache.set(storedKeyOf(logs, key), stored, ttlMs).catch(() => undefined);
    },
  };
}
