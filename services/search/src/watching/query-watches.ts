import { fromBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Database } from "@storefront/database";
import { asRegion } from "@storefront/domain/identifiers";
import { notFound, ServiceError } from "@storefront/rpc";
import type { Logger } from "@storefront/process";
import { canonicalQuery } from "../domain/canonical-query.ts";
import { offerFilter } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import { changesWithTime, maxMembers } from "../domain/query-membership.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { BackgroundLoop, idleMs } from "../indexing/background-loop.ts";
import type { Pause } from "../indexing/background-loop.ts";
import { maxWatches } from "../store/query-watch-store.ts";
import type { QueryWatch, QueryWatchStore } from "../store/query-watch-store.ts";
import type { SavedQueryStore } from "../store/saved-query-store.ts";

interface FollowingDependencies {
  readonly engine: SearchEngine;
  readonly queries: SavedQueryStore;
  readonly watches: QueryWatchStore;
}

/** Which saved queries are followed: each from the first time that somebody asks. */
export class QueryWatches {
  readonly #deps: FollowingDependencies;
  readonly #onBegun: () => void;

  /** @param onBegun told when a query begins to be followed */
  constructor(deps: FollowingDependencies, onBegun: () => void) {
    this.#deps = deps;
    this.#onBegun = onBegun;
  }

  /**
   * A query that is followed in a region, from now on at the latest: what enters and leaves it after this is told.
   *
   * @throws ServiceError NOT_FOUND, QUERY_NOT_FOUND; RESOURCE_EXHAUSTED, QUERY_WATCHES_FULL; UNAVAILABLE when the
   * engine is away at the first time.
   */
  async follow(queryId: string, region: string): Promise<QueryWatch> {
    const { queries, watches } = this.#deps;
    const known = await watches.find(queryId, region);
    if (known?.isBegun === true) return known;
    const query = canonicalQuery(await findQuery(queries, queryId));
    const watch =
      known ?? (await watches.add(queryId, region, { changesWithTime: changesWithTime(query) }));
    if (watch === undefined) throw watchesFull();
    if (!watch.isBegun) {
      const state = await watches.indexState();
      const members = await findMembers(this.#deps.engine, query, region);
      await watches.begin(watch.number, state, members);
      this.#onBegun();
    }
    return watch;
  }
}

function watchesFull(): ServiceError {
  return new ServiceError({
    code: Code.ResourceExhausted,
    reason: ErrorReason.QUERY_WATCHES_FULL,
    message: `${maxWatches} queries are followed, which is the maximum`,
    metadata: { maxWatches: String(maxWatches) },
  });
}

/** A saved query. @throws ServiceError NOT_FOUND, QUERY_NOT_FOUND. */
export async function findQuery(queries: SavedQueryStore, queryId: string): Promise<OfferQuery> {
  const bytes = await queries.get(queryId);
  if (bytes === undefined) {
    throw notFound(ErrorReason.QUERY_NOT_FOUND, "no such query", { queryId });
  }
  return fromBinary(OfferQuerySchema, bytes);
}

function savedQueryOf(bytes: Uint8Array): OfferQuery {
  return canonicalQuery(fromBinary(OfferQuerySchema, bytes));
}

/** Ids of the offers that a canonical query finds in a region, as far as it is followed. Consistent as `listOffers`. */
async function findMembers(
  engine: SearchEngine,
  query: OfferQuery,
  region: string,
): Promise<readonly string[]> {
  // Another process may have put a newer index in the place of the one that serves here.
  await engine.liveGeneration();
  return await engine.listOffers({
    filter: offerFilter(query),
    order: offerOrder(query).order,
    region: asRegion(region),
    nowMs: Date.now(),
    limit: maxMembers,
  });
}

/** What followed queries are compared with. */
interface WatchDependencies extends FollowingDependencies {
  readonly database: Database;
  /** Told when something has entered or left a query. */
  readonly onEvents: () => void;
}

const retryMs = 5_000;
/** Between looks at whether another process has changed the index, and ended before it compared. */
const lookMs = 5_000;

/**
 * Compares a followed query that is due with what it found last.
 *
 * @returns whether there was one.
 */
export async function compareNext(deps: WatchDependencies): Promise<boolean> {
  const { queries, watches, onEvents } = deps;
  const due = await watches.claimDue();
  if (due === undefined) return false;
  try {
    const bytes = await queries.get(due.queryId);
    if (bytes === undefined) {
      await watches.remove(due.number);
      return true;
    }
    const members = await findMembers(deps.engine, savedQueryOf(bytes), due.region);
    const events = await watches.store(due, members);
    if (events !== undefined && events > 0) onEvents();
    return true;
  } catch (error) {
    await watches.postpone(due);
    throw error;
  }
}

/** Compares followed queries whenever the index has changed, for half of the time at most. */
export function createWatchLoop(deps: WatchDependencies, logger: Logger): BackgroundLoop {
  return new BackgroundLoop(deps.database.polling, async (signal): Promise<Pause> => {
    try {
      const startMs = performance.now();
      if (await compareNext(deps)) {
        return { ms: Math.ceil(performance.now() - startMs), isIdle: false };
      }
      const { isAnyFollowed, dueInMs } = await deps.watches.next();
      if (!isAnyFollowed) return { ms: idleMs, isIdle: true };
      if (dueInMs === undefined) return { ms: lookMs, isIdle: true };
      return { ms: Math.min(Math.max(dueInMs, 10), lookMs), isIdle: true, isDue: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "followed queries cannot be compared now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
