import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { changesWithTime } from "../domain/query-membership.ts";
import { queryNotFound } from "../rpc/not-found-errors.ts";
import { maxWatches } from "../store/query-watch-store.ts";
import type { QueryWatch, QueryWatchStore } from "../store/query-watch-store.ts";
import type { SavedQueryStore } from "../store/saved-query-store.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { findMembers, savedQueryOf } from "./find-members.ts";

/** What queries are followed with. */
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
    const bytes = await queries.get(queryId);
    if (bytes === undefined) throw queryNotFound(queryId);
    const query = savedQueryOf(bytes);
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
