import type { CacheStore } from "../redis/cache-store.ts";
import { hash } from "node:crypto";
import { z } from "zod";
import { feedNames } from "@storefront/process";
import type { Reads } from "../tags/read-log.ts";
import type { Positions } from "./followed-feeds.ts";

/** A response that gateways share. */
export interface SharedResponse {
  body: Buffer;
  reads: Reads;
  begunAt: Positions;
  /** How long ago its making began, in milliseconds. */
  ageMs: number;
}

/** Responses of all gateways. Its loss costs speed only. `logs` identifies the logs that positions are of. */
export type SharedTier = ReturnType<typeof createSharedTier>;

/** As long as a response is fresh or stale, unless it outlasted an outage. */
const ttlMs = 360_000;
/** Longest wait of a request for the cache: making a response takes no longer. */
const readBudgetMs = 50;
/** Largest body that is shared: the cache takes it as text, in one piece. */
const bodyMaxBytes = 2 ** 20;

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
 * Shares responses by a cache. They carry what they were made of and where the feeds were then, so that each gateway
 * judges them by its own feeds: a response that a write has touched is never served, whichever gateway stored it, and
 * however long a gateway was stopped.
 *
 * @param namespace differs between gateways of different code, whose responses may differ
 */
export function createSharedTier(cache: CacheStore, namespace: string) {
  // Keys hold whatever clients request.
  const storedKeyOf = (logs: string, key: string) =>
    `${namespace} ${hash("sha256", `${logs} ${key}`, "base64url")}`;
  return {
    /** Undefined when there is none, and when the cache is unavailable or slow. */
    async read(logs: string, key: string): Promise<SharedResponse | undefined> {
      const value = await cache.get(storedKeyOf(logs, key), readBudgetMs);
      const stored = zStored.safeParse(value);
      if (!stored.success) return undefined;
      const { madeAt, ...response } = stored.data;
      return { ...response, ageMs: Math.max(0, Date.now() - madeAt) };
    },
    /** Does not wait, and does not fail. */
    write(logs: string, key: string, { ageMs, ...response }: SharedResponse): void {
      if (response.body.length > bodyMaxBytes) return;
      const stored = { ...response, madeAt: Date.now() - ageMs };
      void cache.set(storedKeyOf(logs, key), stored, ttlMs);
    },
  };
}
