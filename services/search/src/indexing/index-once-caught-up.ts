import type { FollowerHealth } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { setTimeout as sleep } from "node:timers/promises";
import { everything } from "../domain/offer-filter.ts";
import type { OfferSearch } from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { lastReindex } from "../store/reindex-job-store.ts";
import type { BackgroundLoop } from "./background-loop.ts";

/** Longest delay of the first index, in milliseconds: a long import continues beside it. */
const maxWaitMs = 60_000;

const defaultDisconnectedMs = 3_000;

/** Interval in milliseconds: each check queries the database, whose only thread the feeds need on PGlite. */
const checkMs = 100;

interface FirstIndex {
  readonly database: Queryable;
  readonly engine: Pick<SearchEngine, "liveGeneration">;
  readonly keeper: Pick<BackgroundLoop, "start">;
  readonly feeds: ReadonlyMap<string, Probed>;
  /** A feed that is not connected for this long, in milliseconds, is not waited for; default 3 s. */
  readonly disconnectedMs?: number;
  /** Stops the wait; the keeper is then not started. */
  readonly signal: AbortSignal;
}

interface Probed {
  /** Rejects while the feed is not connected. */
  probe(): Promise<Pick<FollowerHealth, "lagEntries">>;
}

/**
 * Starts the index keeper. Without a live index it first waits for the feeds, so that each offer is indexed once rather
 * than in each state of the backfill. A requested or interrupted reindex starts at once.
 */
export async function indexOnceCaughtUp(first: FirstIndex): Promise<void> {
  // The keeper will report the error.
  const live = await first.engine.liveGeneration().catch(() => undefined);
  if (live === undefined) await untilCaughtUp(first);
  if (!first.signal.aborted) first.keeper.start();
}

async function untilCaughtUp({
  database,
  feeds,
  disconnectedMs = defaultDisconnectedMs,
  signal,
}: FirstIndex): Promise<void> {
  const startedAtMs = performance.now();
  const waitedMs = () => performance.now() - startedAtMs;
  while (!signal.aborted && waitedMs() < maxWaitMs) {
    const probes = await Promise.allSettled([...feeds.values()].map((feed) => feed.probe()));
    const isDone = probes.every((probe) =>
      probe.status === "fulfilled" ? probe.value.lagEntries === 0n : waitedMs() >= disconnectedMs,
    );
    if (isDone || (await isReindexing(database))) return;
    await sleep(checkMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Whether a reindex is in progress in any process. */
async function isReindexing(database: Queryable): Promise<boolean> {
  // An unavailable database is waited for like the feeds.
  const last = await lastReindex(database).catch(() => undefined);
  return last !== undefined && last.endedAt === undefined;
}

interface Searching {
  searchOffers(search: OfferSearch): Promise<unknown>;
}

/**
 * A warm-up search, without and with a text, before the first request of a client: the first searches read into memory
 * for seconds at half a million offers, and start to load words. A failed one is repeated at the next call.
 */
export function firstSearch(engine: Searching): () => Promise<void> {
  let made: Promise<unknown> | undefined;
  return async () => {
    made ??= search(engine).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    await made;
  };
}

/**
 * A text search triggers the loading of words. Until then the database searches: fast, since few words have this prefix
 * and it is too short for corrections.
 */
const rareText = "zqx";

async function search(engine: Searching): Promise<void> {
  const listing: OfferSearch = {
    filter: everything,
    order: { key: "lastModifiedDate", isAscending: false },
    region: defaultRegion,
    nowMs: Date.now(),
    offset: 0,
    limit: 1,
    aggregations: [],
  };
  await engine.searchOffers(listing);
  await engine.searchOffers({ ...listing, filter: { ...everything, text: rareText } });
}
