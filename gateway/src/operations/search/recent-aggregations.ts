import { create, toJsonString } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  OfferQuerySchema,
  OfferSort,
  SortDirection,
} from "@storefront/contracts/search/v1/offer_query";
import type {
  FacetQuery,
  OfferAggregations,
  OfferQuery,
} from "@storefront/contracts/search/v1/offer_query";
import type { Region } from "@storefront/domain/identifiers";
import { LRUCache } from "lru-cache";
import { isTooOldToJoin, unwatchedMs } from "../../cache/stored-response.ts";
import { requireMember, unsupportedBySearch } from "../../upstream/upstream-error.ts";
import type { CallScope } from "../../upstream/call-scope.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { SingleFlight } from "../../upstream/single-flight.ts";

interface Counted {
  readonly aggregations: OfferAggregations;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
}

/** All that counts depend on. */
interface Counting {
  readonly query: OfferQuery;
  readonly region: Region;
  readonly disjunctiveAggregations: boolean;
  /** The only facet to count, and the text that its values contain; undefined counts all facets. */
  readonly facetQuery: Pick<FacetQuery, "facet" | "text"> | undefined;
}

interface CountingOptions {
  /** Whether values are counted without the filter that chooses among them. Default false. */
  readonly isDisjunctive?: boolean;
  /** Counts only the values of a facet that contain a text. Default all facets. */
  readonly facetQuery?: Counting["facetQuery"];
}

type CountingContext = CallScope & Pick<RequestContext, "clients">;

/** Most counts to cache, of 60 kB at most each, for less than a second. */
const maxCached = 256;

// Orders that consider some offers only.
const narrowing: ReadonlySet<OfferSort> = new Set([
  OfferSort.RELEASE_DATE,
  OfferSort.UPCOMING,
  OfferSort.GIVEAWAY_DATE,
  OfferSort.LOWEST_FOR,
]);

/**
 * Counts over all found offers, which are the same on all pages and in nearly all orders: searches with the
 * same filter in the same region share one call, within the time for which their responses are cached.
 */
export class RecentAggregations {
  readonly #cached = new LRUCache<string, Counted>({ max: maxCached });
  readonly #flights = new SingleFlight<Counted>(unwatchedMs);

  async find(
    ctx: CountingContext,
    query: MessageInitShape<typeof OfferQuerySchema>,
    region: Region,
    { isDisjunctive = false, facetQuery }: CountingOptions = {},
  ): Promise<OfferAggregations> {
    const counting = {
      query: countedQuery(query),
      region,
      disjunctiveAggregations: isDisjunctive,
      facetQuery,
    };
    const facet = facetQuery && `${facetQuery.facet} ${JSON.stringify(facetQuery.text)}`;
    const key = `${region} ${isDisjunctive} ${facet} ${toJsonString(OfferQuerySchema, counting.query)}`;
    const askedAt = performance.now();
    const { aggregations, startedAt } =
      this.#cachedSince(key, askedAt) ??
      (await this.#flights.run(key, ctx, (limits) =>
        this.#count({ ...ctx, ...limits }, key, counting),
      ));
    // So that a response with these counts is not cached for a second more.
    ctx.reads?.noteValidity(unwatchedMs - (askedAt - startedAt));
    return aggregations;
  }

  async #count(scope: CountingContext, key: string, counting: Counting): Promise<Counted> {
    const startedAt = performance.now();
    const { facetQuery } = counting;
    const narrowed = facetQuery && { aggregations: [facetQuery.facet] };
    const request = { ...counting, ...narrowed, countsOnly: true };
    const response = await scope.clients.search.searchOffers(scope, request);
    // While two releases run, the older one returns values that do not contain the text.
    if (facetQuery !== undefined && !response.facetNarrowed) {
      throw unsupportedBySearch("facetQuery");
    }
    const aggregations = requireMember(response.aggregations, "search.SearchOffers");
    const counted = { aggregations, startedAt };
    // Incomplete counts are for this request alone.
    if (!response.timedOut) this.#store(key, counted);
    return counted;
  }

  /** Older counts may arrive after newer ones, which then stay. */
  #store(key: string, counted: Counted): void {
    const cached = this.#cached.get(key);
    if (cached === undefined || cached.startedAt < counted.startedAt)
      this.#cached.set(key, counted);
  }

  #cachedSince(key: string, askedAt: number): Counted | undefined {
    const cached = this.#cached.get(key);
    return cached === undefined || isTooOldToJoin(cached.startedAt, askedAt) ? undefined : cached;
  }
}

/** The query without members that do not change the counts. */
function countedQuery(query: MessageInitShape<typeof OfferQuerySchema>) {
  const { sort, ...asked } = create(OfferQuerySchema, query);
  return create(OfferQuerySchema, {
    ...asked,
    offerTypes: asked.offerTypes.toSorted(),
    tagIds: asked.tagIds.toSorted(),
    technologies: asked.technologies.toSorted(),
    categories: asked.categories.toSorted(),
    customAttributes: asked.customAttributes.toSorted(),
    sort: narrowing.has(sort) ? sort : OfferSort.UNSPECIFIED,
    direction: SortDirection.UNSPECIFIED,
  });
}
