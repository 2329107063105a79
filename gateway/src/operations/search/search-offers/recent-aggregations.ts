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
import { LRUCache } from "lru-cache";
import type { Region } from "@storefront/identifiers";
import { isTooOldToJoin, unwatchedMs } from "../../../cache/stored-response.ts";
import { unavailable } from "../../../errors/public-error.ts";
import { answered } from "../../../upstream/answered.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import type { CallScope } from "../../../upstream/call-scope.ts";
import type { RequestContext } from "../../../upstream/request-context.ts";
import { SingleFlight } from "../../../upstream/single-flight.ts";

/** Counts as they were found, and when they were asked for, on the clock of `performance.now()`. */
interface Counted {
  readonly aggregations: OfferAggregations;
  readonly startedAt: number;
}

/** Whose counts, and how they are made: all that they depend on. */
interface Counting {
  readonly query: OfferQuery;
  readonly region: Region;
  readonly disjunctiveAggregations: boolean;
  /** The only facet that is counted, and the text that its values contain; default all that there are. */
  readonly facetQuery: Pick<FacetQuery, "facet" | "text"> | undefined;
}

interface CountingOptions {
  /** Whether values are counted without the filter that chooses among them. Default false. */
  readonly isDisjunctive?: boolean;
  /** Asks for nothing but values of a facet that contain a text. Default all counts are given. */
  readonly facetQuery?: Counting["facetQuery"];
}

/** What is needed of the context of a request. */
type CountingContext = CallScope & Pick<RequestContext, "clients">;

/** Counts of so many filters, of 60 kB at most, are kept for less than a second. */
const maxKept = 256;

// Orders that consider some offers only.
const narrowing: ReadonlySet<OfferSort> = new Set([
  OfferSort.RELEASE_DATE,
  OfferSort.UPCOMING,
  OfferSort.GIVEAWAY_DATE,
  OfferSort.LOWEST_FOR,
]);

/**
 * Counts over all that searches find, which are the same on all pages and in nearly all orders: asked for
 * once by all who search by one filter in one region within the time that an answer of the search is kept.
 */
export class RecentAggregations {
  readonly #kept = new LRUCache<string, Counted>({ max: maxKept });
  readonly #flights = new SingleFlight<Counted>(unwatchedMs);

  /** Those of a query in a pricing region. */
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
      this.#keptSince(key, askedAt) ??
      (await this.#flights.run(key, ctx, (limits) =>
        this.#count({ ...ctx, ...limits }, key, counting),
      ));
    // So that what is made of them is not kept for a second more.
    ctx.reads?.noteValidity(unwatchedMs - (askedAt - startedAt));
    return aggregations;
  }

  async #count(scope: CountingContext, key: string, counting: Counting): Promise<Counted> {
    const startedAt = performance.now();
    const { facetQuery, ...counted } = counting;
    const narrowed = facetQuery && { facetQuery, aggregations: [facetQuery.facet] };
    const request = { ...counted, ...narrowed, countsOnly: true };
    const answer = await callUpstream(scope, "search.SearchOffers", (options) =>
      scope.clients.search.searchOffers(request, options),
    );
    // While two releases run, the older one gives values whatever they contain.
    if (facetQuery !== undefined && !answer.facetNarrowed) {
      throw unavailable("Values of facets are not searched yet; try again later.");
    }
    const aggregations = answered(answer.aggregations, "search.SearchOffers");
    const made = { aggregations, startedAt };
    // What was cut short is not what others should see.
    if (!answer.timedOut) this.#keep(key, made);
    return made;
  }

  /** Counts that were begun before those that are kept may end after them. */
  #keep(key: string, counted: Counted): void {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.startedAt < counted.startedAt) this.#kept.set(key, counted);
  }

  #keptSince(key: string, askedAt: number): Counted | undefined {
    const kept = this.#kept.get(key);
    return kept === undefined || isTooOldToJoin(kept.startedAt, askedAt) ? undefined : kept;
  }
}

/** The query without what does not change what is counted. */
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
