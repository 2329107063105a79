import { create, equals } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  OfferAggregation,
  OfferQuerySchema,
  OfferSort,
} from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { QueryEventType, SuggestionKind } from "@storefront/contracts/search/v1/search_service";
import type { SearchService } from "@storefront/contracts/search/v1/search_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound, ServiceError } from "@storefront/rpc";
import { once } from "node:events";
import { expect } from "vitest";
import { at } from "./records.ts";

/** Where offers are searched by filters and text, and by meaning. */
export const searchPath = "/search/v2/search";
export const meaningPath = "/search/natural-language";

/** The id under which the in-test search saves every query. */
export const savedQueryId = "9e107d9d372bb6826bd81d3542a419d6";

/** Headers of operations that `/queries` replaces. */
export const deprecatedHeaders = {
  deprecation: expect.stringMatching(/^@\d+$/),
  sunset: "Fri, 26 Nov 2027 00:00:00 GMT",
  link: '</queries>; rel="successor-version"',
};

/** A search that finds the same for every query, a deleted offer included. */
export interface TestSearch {
  handlers: Partial<ServiceImpl<typeof SearchService>>;
  reset(): void;
}

const startQuery: MessageInitShape<typeof OfferQuerySchema> = {
  title: "moon",
  offerTypes: ["BASE_GAME"],
  isCodeRedemptionOnly: false,
  price: { min: 5n },
  onSale: false,
  isLowestPrice: true,
  sort: OfferSort.PRICE_UPDATED_AT,
};

/** Oldest first. */
const queryEvents = [
  {
    id: "1-a",
    offerId: "full",
    type: QueryEventType.ENTERED,
    time: at("2026-03-02T10:00:00Z"),
  },
  { id: "2-b", offerId: "gone", type: QueryEventType.LEFT, time: at("2026-03-03T10:00:00Z") },
];

function refusal(code: Code, reason: keyof typeof ErrorReason): ServiceError {
  return new ServiceError({ code, reason: ErrorReason[reason], message: "upstream text" });
}

const highlights = [
  { offerId: "bare" },
  { offerId: "gone", title: "<mark>Gone</mark>" },
  { offerId: "full", title: "<mark>Full</mark>", description: "<mark>Described</mark>." },
];

const aggregationsIn = (region: string) => ({
  technologies: [
    { key: "Unity", count: 2n },
    { key: "EasyAntiCheat", count: 1n },
  ],
  offerTypes: [{ key: "BASE_GAME", count: 3n }],
  tags: [{ key: "Tag", count: 1n, id: "t1" }],
  developers: [{ key: "Dev", count: 1n }],
  publishers: [{ key: "Pub", count: 1n }],
  sellers: [
    { key: "Seller", count: 1n, id: "s1" },
    { key: "Seller", count: 1n },
  ],
  priceStats: region === "US" ? { count: 2n, min: 0n, max: 999n, avg: 499.5 } : {},
});

const isByRating = (query: OfferQuery | undefined) =>
  query?.minRating !== undefined || query?.sort === OfferSort.RATING;

/** Begins with a saved query. */
export function createSearch(): TestSearch {
  let engineMs = 0;
  let saved = create(OfferQuerySchema, startQuery);

  const requireSaved = (queryId: string): OfferQuery => {
    if (queryId === savedQueryId) return saved;
    throw notFound(ErrorReason.QUERY_NOT_FOUND, "upstream text");
  };

  return {
    handlers: {
      // In Brazil it is an earlier release, without facetQuery, lows, ratings, highlights and cursors.
      // In the euro zone each search takes longer than the one before. The only cursor is `c1`, to a last page.
      searchOffers: ({ query, region, facetQuery, highlight, cursor }) => {
        if (!["", "c1"].includes(cursor))
          throw refusal(Code.InvalidArgument, "CURSOR_OF_OTHER_SEARCH");
        return {
          offerIds: ["bare", "gone", "full"],
          totalSize: 23n,
          aggregations: aggregationsIn(region),
          engineMs: region === "EURO" ? (engineMs += 1) : 1.6,
          timedOut: region === "JP",
          facetNarrowed: facetQuery !== undefined && region !== "BR2",
          lowestFiltered: (query?.lowestPriceOf ?? 0) > 0 && region !== "BR2",
          ratingApplied: isByRating(query) && region !== "BR2",
          highlights: highlight && region !== "BR2" ? highlights : [],
          unknownValues: (query?.tagIds ?? []).map((value) => ({
            filter: OfferAggregation.TAGS,
            value,
            nearest: [{ id: "t1", name: "Tag" }],
          })),
          nextCursor: cursor === "" && region !== "BR2" ? "c1" : "",
          resumed: cursor !== "" && region !== "BR2",
        };
      },
      saveQuery: ({ query }) => {
        const isNew = !equals(OfferQuerySchema, saved, query ?? create(OfferQuerySchema));
        saved = query ?? create(OfferQuerySchema);
        return {
          queryId: savedQueryId,
          isNew,
          ratingApplied: isByRating(query) && query?.minRating !== 1,
        };
      },
      getSavedQuery: ({ queryId }) => ({ query: requireSaved(queryId) }),
      countFacets: ({ queryId, region }) => {
        requireSaved(queryId);
        return {
          tagCounts: [{ key: "t1", count: 2n }],
          offerTypeCounts: [{ key: "BASE_GAME", count: 3n }],
          developerCounts: [{ key: "Dev", count: 1n }],
          totalSize: 3n,
          ...(region === "JP" ? {} : { minPrice: 0n, maxPrice: 999n }),
        };
      },
      countOffersByTag: () => ({
        tags: [
          { tagId: "t1", name: "Tag", offerCount: 3n },
          { tagId: "t2", name: "Other", offerCount: 2n },
          { tagId: "t3", offerCount: 1n },
        ],
      }),
      suggest: ({ text, pageSize }) => ({
        suggestions: [
          { text: `${text} ${pageSize}`, kind: SuggestionKind.CORRECTION },
          { text: "Full", offerId: "full", kind: SuggestionKind.TITLE },
          { text: "Tag", id: "t1", kind: SuggestionKind.TAG },
          { text: "Of a later release", kind: SuggestionKind.UNSPECIFIED },
        ],
      }),
      listSellers: ({ text, page, pageSize }) => ({
        sellers: [
          { key: `${text} ${page} ${pageSize}`, id: "s1", count: 2n },
          { key: "Seller", count: 1n },
        ],
        totalSize: 23n,
      }),
      // In Japan it is an earlier release, without filters and counts.
      searchOffersByMeaning: ({ query, region, aggregations }) => ({
        ...(aggregations.length > 0 && region !== "JP" && { aggregations: aggregationsIn(region) }),
        filtered: query !== undefined && region !== "JP",
        ratingApplied: isByRating(query) && region !== "BR2",
        matches: [
          { offerId: "gone", score: 0.9 },
          { offerId: "full", score: 0.5 },
          { offerId: "bare", score: 0.25 },
        ],
      }),
      listQueryEvents: ({ queryId, pageSize }) => {
        requireSaved(queryId);
        return {
          events: queryEvents.toReversed().slice(0, pageSize),
          followedSince: at("2026-03-01T00:00:00Z"),
        };
      },
      async *watchQueryEvents({ queryId, region, afterEventId }, { signal }) {
        requireSaved(queryId);
        // In Brazil the limit of followed queries is reached.
        if (region === "BR2") throw refusal(Code.ResourceExhausted, "QUERY_WATCHES_FULL");
        const ids = ["0-begin", ...queryEvents.map(({ id }) => id)];
        const position = afterEventId === "" ? ids.length - 1 : ids.indexOf(afterEventId);
        if (position === -1) throw refusal(Code.FailedPrecondition, "QUERY_EVENT_GONE");
        yield afterEventId === "" ? { startedAfterEventId: ids.at(-1) ?? "" } : {};
        yield { events: queryEvents.slice(position) };
        await once(signal, "abort");
      },
      searchEntries: ({ text }) =>
        text === "nothing" ? {} : { entryIds: ["foreign ü", "no entry", "e2"], totalSize: 4n },
    },
    reset() {
      saved = create(OfferQuerySchema, startQuery);
    },
  };
}
