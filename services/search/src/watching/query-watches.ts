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

/** Follows saved queries, each from its first request on. */
export class QueryWatches {
  readonly #deps: FollowingDependencies;
  readonly #onBegun: () => void;

  /** @param onBegun called when a query begins to be followed */
  constructor(deps: FollowingDependencies, onBegun: () => void) {
    this.#deps = deps;
    this.#onBegun = onBegun;
  }

  /**
   * Follows a query in a region, unless it is followed already: later entries and exits become events.
   *
   * @throws ServiceError NOT_FOUND, QUERY_NOT_FOUND; RESOURCE_EXHAUSTED, QUERY_WATCHES_FULL; UNAVAILABLE when the
   * engine is unavailable at the first call.
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

/** @throws ServiceError NOT_FOUND, QUERY_NOT_FOUND */
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

/** Ids of a canonical query's first {@link maxMembers} results in a region. Consistent as `listOffers`. */
async function findMembers(
  engine: SearchEngine,
  query: OfferQuery,
  region: string,
): Promise<readonly string[]> {
  // Another process may have made a newer index live.
  await engine.liveGeneration();
  return await engine.listOffers({
    filter: offerFilter(query),
    order: offerOrder(query).order,
    region: asRegion(region),
    nowMs: Date.now(),
    limit: maxMembers,
  });
}

interface WatchDependencies extends FollowingDependencies {
  readonly database: Database;
  /** Called after offers have entered or left a query. */
  readonly onEvents: () => void;
}

const retryMs = 5_000;
/** Interval of checks whether another process changed the index and ended before it compared. */
const checkMs = 5_000;

/**
 * Compares a due query with its last results.
 *
 * @returns whether one was due
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

/** Compares followed queries after changes of the index, for at most half of the time. */
export function createWatchLoop(deps: WatchDependencies, logger: Logger): BackgroundLoop {
  return new BackgroundLoop(deps.database.polling, async (signal): Promise<Pause> => {
    try {
      const startMs = performance.now();
      if (await compareNext(deps)) {
        return { ms: Math.ceil(performance.now() - startMs), isIdle: false };
      }
      const { isAnyFollowed, dueInMs } = await deps.watches.next();
      if (!isAnyFollowed) return { ms: idleMs, isIdle: true };
      if (dueInMs === undefined) return { ms: checkMs, isIdle: true };
      return { ms: Math.min(Math.max(dueInMs, 10), checkMs), isIdle: true, isDue: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "followed queries cannot be compared now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
