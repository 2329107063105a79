import type { FollowerHealth } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { setTimeout as sleep } from "node:timers/promises";
import { everything } from "../domain/offer-filter.ts";
import type { OfferSearch } from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { lastReindex } from "../store/reindex-job-store.ts";
import type { BackgroundLoop } from "./background-loop.ts";

/** Longest wait before a first index is made, in milliseconds: a long import goes on beside it. */
const maxWaitMs = 60_000;

const defaultAwayMs = 3_000;

/** Between looks, in milliseconds: each asks the database, whose one thread the feeds need on a laptop. */
const lookMs = 100;

/** Who makes the index, and what it waits for. */
interface FirstIndex {
  readonly database: Queryable;
  readonly engine: Pick<SearchEngine, "liveGeneration">;
  readonly keeper: Pick<BackgroundLoop, "start">;
  readonly feeds: ReadonlyMap<string, Probed>;
  /** A feed that is not connected for so long, in milliseconds, is away and not waited for; default 3 s. */
  readonly awayMs?: number;
  /** Breaks the wait off; then the keeper is not started. */
  readonly signal: AbortSignal;
}

interface Probed {
  /** Rejects while the feed is not connected. */
  probe(): Promise<Pick<FollowerHealth, "lagEntries">>;
}

/**
 * Starts the keeper of the index. Where nothing serves yet the feeds are caught up with first: the index is
 * then made of what there is in the end, and not of each state on the way as well. A reindex that somebody
 * has asked for, or left, does not wait.
 */
export async function indexOnceCaughtUp(first: FirstIndex): Promise<void> {
  // What cannot be told now is the keeper's to find out.
  const live = await first.engine.liveGeneration().catch(() => undefined);
  if (live === undefined) await untilCaughtUp(first);
  if (!first.signal.aborted) first.keeper.start();
}

async function untilCaughtUp({
  database,
  feeds,
  awayMs = defaultAwayMs,
  signal,
}: FirstIndex): Promise<void> {
  const startedAtMs = performance.now();
  const waitedMs = () => performance.now() - startedAtMs;
  while (!signal.aborted && waitedMs() < maxWaitMs) {
    const probes = await Promise.allSettled([...feeds.values()].map((feed) => feed.probe()));
    const isDone = probes.every((probe) =>
      probe.status === "fulfilled" ? probe.value.lagEntries === 0n : waitedMs() >= awayMs,
    );
    if (isDone || (await isAskedFor(database))) return;
    // Rejects only when it is to end, which the loop looks for.
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Whether a reindex is under way, here or elsewhere. */
async function isAskedFor(database: Queryable): Promise<boolean> {
  // A database that is away is waited for as the feeds are.
  const last = await lastReindex(database).catch(() => undefined);
  return last !== undefined && last.endedAt === undefined;
}

interface Searching {
  searchOffers(search: OfferSearch): Promise<unknown>;
}

/**
 * A search that a process makes once, without a text and with one, before it takes any of a client's: what
 * the first ones read into memory takes seconds for half a million offers, and words are read on meanwhile.
 * One that fails is made again when it is asked for again.
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
 * Whoever searches by a text has words read. Until they are, the database finds it: at one look, as hardly any word
 * begins so, and no misspelling is looked for in so short a one.
 */
const rareText = "zqx";

async function search(engine: Searching): Promise<void> {
  const asked: OfferSearch = {
    filter: everything,
    order: { key: "lastModifiedDate", isAscending: false },
    region: defaultRegion,
    nowMs: Date.now(),
    offset: 0,
    limit: 1,
    aggregations: [],
  };
  await engine.searchOffers(asked);
  await engine.searchOffers({ ...asked, filter: { ...everything, text: rareText } });
}
