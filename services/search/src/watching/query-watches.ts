import { fromBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { asRegion } from "@storefront/identifiers";
import { notFound, ServiceError } from "@storefront/rpc";
import { canonicalQuery } from "../domain/canonical-query.ts";
import { offerFilter } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import { changesWithTime, maxMembers } from "../domain/query-membership.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { maxWatches } from "../store/query-watch-store.ts";
import type { QueryWatch, QueryWatchStore } from "../store/query-watch-store.ts";
import type { SavedQueryStore } from "../store/saved-query-store.ts";

export interface FollowingDependencies {
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
    message: `${maxWatches} queries are followed, as many as may be`,
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

export function savedQueryOf(bytes: Uint8Array): OfferQuery {
  return canonicalQuery(fromBinary(OfferQuerySchema, bytes));
}

/** Ids of the offers that a canonical query finds in a region, as far as it is followed. Consistent as `listOffers`. */
export async function findMembers(
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
