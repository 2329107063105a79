import { SingleFlight } from "@storefront/cache";
import { create, toJsonString } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  OfferQuerySchema,
  OfferSort,
  SortDirection,
} from "@storefront/contracts/search/v1/offer_query";
import type { OfferAggregations } from "@storefront/contracts/search/v1/search_service";
import { LRUCache } from "lru-cache";
import { isTooOldToJoin, unwatchedMs } from "../../../cache/stored-response.ts";
import { answered } from "../../../upstream/answered.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import type { RequestContext } from "../../../upstream/request-context.ts";

/** Counts as they were found, and when they were asked for, on the clock of `performance.now()`. */
interface Counted {
  readonly aggregations: OfferAggregations;
  readonly startedAt: number;
}

/** Counts of so many filters, of 60 kB at most, are kept for less than a second. */
const maxKept = 256;

// Orders that consider some offers only.
const narrowing: ReadonlySet<OfferSort> = new Set([
  OfferSort.RELEASE_DATE,
  OfferSort.UPCOMING,
  OfferSort.GIVEAWAY_DATE,
]);

/**
 * Counts over all that searches find, which are the same on all pages and in nearly all orders: asked for
 * once by all who search by one filter in one region within the time that an answer of the search is kept.
 */
export class RecentAggregations {
  readonly #kept = new LRUCache<string, Counted>({ max: maxKept });
  readonly #flights = new SingleFlight<Counted>();

  /** Those of a query in a pricing region. */
  async find(
    ctx: RequestContext,
    query: MessageInitShape<typeof OfferQuerySchema>,
    region: string,
  ): Promise<OfferAggregations> {
    const counted = countedQuery(query);
    const key = `${region} ${toJsonString(OfferQuerySchema, counted)}`;
    const askedAt = performance.now();
    for (;;) {
      const found =
        this.#keptSince(key, askedAt) ??
        (await this.#flights.run(key, ctx.signal, async (signal) => {
          const startedAt = performance.now();
          const answer = await callUpstream({ ...ctx, signal }, "search.SearchOffers", (options) =>
            ctx.clients.search.searchOffers({ query: counted, region, countsOnly: true }, options),
          );
          const aggregations = answered(answer.aggregations, "search.SearchOffers");
          // What was cut short is not what others should see.
          if (!answer.timedOut) this.#kept.set(key, { aggregations, startedAt });
          return { aggregations, startedAt };
        }));
      if (isTooOldToJoin(found.startedAt, askedAt)) continue;
      // So that what is made of them is not kept for a second more.
      ctx.reads?.noteValidity(unwatchedMs - (askedAt - found.startedAt));
      return found.aggregations;
    }
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
