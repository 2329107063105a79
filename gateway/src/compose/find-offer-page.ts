import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import {
  LowWindow,
  OfferAggregation,
  OfferSort,
} from "@storefront/contracts/search/v1/offer_query";
import type { SearchOffersResponse } from "@storefront/contracts/search/v1/search_service";
import { asOfferId } from "@storefront/domain/identifiers";
import type { Locale, Region } from "@storefront/domain/identifiers";
import type { FoundOffer } from "../records/found-offer.ts";
import { highlightsOf } from "../records/found-offer.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { unsupportedBySearch } from "../upstream/upstream-error.ts";
import { hydrateOffers } from "./hydrate-offers.ts";

export interface OfferPageRequest {
  query: MessageInitShape<typeof OfferQuerySchema>;
  region: Region;
  locale: Locale;
  /** Whether prices have their lows. */
  lows: boolean;
  /** Whether matches of the query's text are marked. Default false. */
  highlight?: boolean;
  page: number;
  /** Instead of the page: where an earlier one ended. */
  cursor?: string | undefined;
  limit: number;
}

export interface OfferPage {
  found: SearchOffersResponse;
  /** Those that still exist. */
  offers: FoundOffer[];
  /** The cursor of the offers that follow; null at the end. */
  next: string | null;
}

/** @throws TRPCError 503 when a query filters or sorts by ratings and a search of an earlier release has ignored that */
export function requireRatings(
  { minRating, sort }: Pick<OfferPageRequest["query"], "minRating" | "sort">,
  { ratingApplied }: { ratingApplied: boolean },
): void {
  const isByRating = minRating !== undefined || sort === OfferSort.RATING;
  if (isByRating && !ratingApplied) throw unsupportedBySearch("ratings");
}

/** Searches offers and looks up those of the page. */
export async function findOfferPage(
  ctx: RequestContext,
  { query, region, locale, lows, highlight = false, page, cursor = "", limit }: OfferPageRequest,
): Promise<OfferPage> {
  const aggregations = [OfferAggregation.NONE];
  const request = { query, region, page, cursor, pageSize: limit, aggregations, highlight };
  const found = await ctx.clients.search.searchOffers(ctx, request);
  // A search of an earlier release ignores these members.
  if (!found.lowestFiltered && (query.lowestPriceOf ?? LowWindow.UNSPECIFIED) > 0) {
    throw unsupportedBySearch("lowestPriceOf");
  }
  requireRatings(query, found);
  // It gives the first page instead.
  if (cursor !== "" && !found.resumed) throw unsupportedBySearch("cursors");
  const offerIds = found.offerIds.map(asOfferId);
  const offers = await hydrateOffers(ctx, offerIds, locale, region, lows);
  const highlightsById = new Map(found.highlights.map((each) => [each.offerId, each]));
  return {
    found,
    next: found.nextCursor === "" ? null : found.nextCursor,
    offers: offers.flatMap((offer): FoundOffer[] => {
      if (offer === undefined) return [];
      const highlights = highlightsById.get(offer.id);
      return [highlights ? { ...offer, highlights: highlightsOf(highlights, offer) } : offer];
    }),
  };
}
