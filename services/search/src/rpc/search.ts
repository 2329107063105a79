import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { LowWindow, OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import type {
  BucketSchema,
  FacetQuery as FacetQueryMessage,
  OfferAggregationsSchema,
  PriceStatsSchema,
} from "@storefront/contracts/search/v1/offer_query";
import {
  SearchEntriesRequestSchema,
  SearchOffersRequestSchema,
} from "@storefront/contracts/search/v1/search_service";
import type {
  SearchOffersRequest,
  SearchService,
} from "@storefront/contracts/search/v1/search_service";
import { asRegion } from "@storefront/domain/identifiers";
import { pageOf } from "@storefront/rpc";
import type { FieldViolation } from "@storefront/rpc";
import { canonicalQuery, usesRatings } from "../domain/canonical-query.ts";
import type { FacetQuery } from "../domain/facet-query.ts";
import { partsOfLabel } from "../domain/label.ts";
import { offerFilter } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import { aggregationNames, countNames } from "../domain/offer-terms.ts";
import type {
  AggregationName,
  Bucket,
  OfferAggregations,
  PriceStatistics,
} from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { SavedQueryStore } from "../store/saved-query-store.ts";
import { cursorOf, positionOf } from "./page-cursor.ts";
import { UnknownValues } from "./unknown-values.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { findQuery } from "../watching/query-watches.ts";

export function searchHandlers(deps: {
  engine: SearchEngine;
  queries: SavedQueryStore;
  vocabulary: Vocabulary;
}) {
  const unknownValues = new UnknownValues(deps.engine, deps.vocabulary);
  return {
    async searchOffers(request) {
      const { offset, pageSize } = pageOf(SearchOffersRequestSchema, request);
      const aggregations = requestedAggregations(request.aggregations);
      const facetQuery = request.facetQuery && requestedFacetQuery(request.facetQuery);

      const query = canonicalQuery(request.query);
      const region = asRegion(request.region);
      const search = { engine: deps.engine.name, query, region };
      const after = request.cursor === "" ? undefined : positionOf(request.cursor, search);
      const startMs = performance.now();
      const searching = deps.engine.searchOffers({
        filter: offerFilter(query),
        order: offerOrder(query).order,
        region,
        nowMs: Date.now(),
        offset,
        after,
        limit: request.countsOnly ? 0 : pageSize,
        aggregations,
        isDisjunctive: request.disjunctiveAggregations,
        facetQuery,
        highlight: request.highlight,
      });
      const [hits, unknown] = await Promise.all([
        searching,
        // Hints, without which the response is complete: their failure is that of a search, which is reported there.
        request.countsOnly ? [] : unknownValues.of(query).catch(() => []),
      ]);
      const { highlights } = hits;
      return {
        offerIds: [...hits.offerIds],
        totalSize: BigInt(hits.total),
        ...(aggregations.length === 0
          ? {}
          : { aggregations: aggregationsMessage(hits.aggregations) }),
        engineMs: performance.now() - startMs,
        timedOut: hits.isTimedOut,
        facetNarrowed: facetQuery !== undefined,
        lowestFiltered: query.lowestPriceOf !== LowWindow.UNSPECIFIED,
        ratingApplied: usesRatings(query),
        highlights: highlights
          ? hits.offerIds.map((offerId) => ({ offerId, ...highlights.get(offerId) }))
          : [],
        unknownValues: unknown,
        nextCursor: hits.end === undefined ? "" : cursorOf(hits.end, search),
        resumed: after !== undefined,
      };
    },

    async countFacets({ queryId, region }) {
      const query = canonicalQuery(await findQuery(deps.queries, queryId));
      const facets = await deps.engine.countFacets({
        filter: offerFilter(query),
        region: asRegion(region),
        nowMs: Date.now(),
      });
      const { min, max } = facets.prices;
      return {
        ...bucketMessages(facets.buckets),
        totalSize: BigInt(facets.total),
        ...(min === undefined ? {} : { minPrice: BigInt(min) }),
        ...(max === undefined ? {} : { maxPrice: BigInt(max) }),
      };
    },

    async searchEntries(request) {
      const { text, contextType, contextId } = request;
      const { offset, pageSize } = pageOf(SearchEntriesRequestSchema, request);

      const startMs = performance.now();
      const hits = await deps.engine.searchEntries({
        text,
        contextType: contextType || undefined,
        contextId: contextId || undefined,
        offset,
        limit: pageSize,
      });
      const { indexedUntilMs } = hits;
      return {
        entryIds: [...hits.entryIds],
        totalSize: BigInt(hits.total),
        engineMs: performance.now() - startMs,
        ...(indexedUntilMs === undefined ? {} : { indexedUntil: timestampFromMs(indexedUntilMs) }),
      };
    },
  } satisfies Partial<ServiceImpl<typeof SearchService>>;
}

const names = new Map<OfferAggregation, AggregationName>([
  ...countNames,
  [OfferAggregation.PRICE_STATS, "prices"],
]);

/** Faults of the requested counts. */
export function aggregationFaults(requested: readonly OfferAggregation[]): FieldViolation[] {
  return requested.length > 1 && requested.includes(OfferAggregation.NONE)
    ? [{ field: "aggregations", description: "NONE must stand alone" }]
    : [];
}

/** Faults of the count that a request limits. */
export function facetQueryFaults({
  facetQuery,
  aggregations,
}: SearchOffersRequest): FieldViolation[] {
  return facetQuery === undefined ||
    aggregations.length === 0 ||
    aggregations.includes(facetQuery.facet)
    ? []
    : [{ field: "facet_query.facet", description: "must be among the aggregations" }];
}

/** How a request limits a count; undefined for a facet unknown to this release. */
function requestedFacetQuery({ facet, text }: FacetQueryMessage): FacetQuery | undefined {
  const of = countNames.get(facet);
  return of && { of, text };
}

/**
 * The requested counts.
 *
 * @param otherwise counts of a request without any; default all
 */
export function requestedAggregations(
  requested: readonly OfferAggregation[],
  otherwise: readonly AggregationName[] = aggregationNames,
): readonly AggregationName[] {
  if (requested.length === 0) return otherwise;
  return [...new Set(requested)].flatMap((aggregation) => names.get(aggregation) ?? []);
}

/** Messages of buckets, by name. */
function bucketMessages<Name extends string>(
  counts: Readonly<Partial<Record<Name, readonly Bucket[]>>>,
): Partial<Record<Name, MessageInitShape<typeof BucketSchema>[]>> {
  const entries = Object.entries<readonly Bucket[] | undefined>(counts);
  return Object.fromEntries(
    entries.map(([name, buckets = []]) => [name, buckets.map(bucketMessage)]),
  ) as Partial<Record<Name, MessageInitShape<typeof BucketSchema>[]>>;
}

/** The message of counts over all results; counts that were not requested are absent. */
export function aggregationsMessage({
  prices,
  ...buckets
}: Partial<OfferAggregations>): MessageInitShape<typeof OfferAggregationsSchema> {
  return {
    ...bucketMessages(buckets),
    ...(prices === undefined ? {} : { priceStats: priceStatsMessage(prices) }),
  };
}

export function bucketMessage({ key, count }: Bucket): MessageInitShape<typeof BucketSchema> {
  const { name, id } = partsOfLabel(key);
  return { key: name, count: BigInt(count), ...(id !== undefined && { id }) };
}

function priceStatsMessage({
  count,
  min,
  max,
  avg,
}: PriceStatistics): MessageInitShape<typeof PriceStatsSchema> {
  return {
    count: BigInt(count),
    ...(min === undefined ? {} : { min: BigInt(min) }),
    ...(max === undefined ? {} : { max: BigInt(max) }),
    ...(avg === undefined ? {} : { avg }),
  };
}
