import { checkOffersExist } from "./catalog/check-offers-exist/check-offers-exist.ts";
import { getItemOffer } from "./catalog/get-item-offer/get-item-offer.ts";
import { getItem } from "./catalog/get-item/get-item.ts";
import { getOfferOverview } from "./catalog/get-offer-overview/get-offer-overview.ts";
import { getOffer } from "./catalog/get-offer/get-offer.ts";
import { getSandbox } from "./catalog/get-sandbox/get-sandbox.ts";
import { listItemBuilds } from "./catalog/list-item-builds/list-item-builds.ts";
import { listItems } from "./catalog/list-items/list-items.ts";
import { listOfferCollection } from "./catalog/list-offer-collection/list-offer-collection.ts";
import { listSandboxAssets } from "./catalog/list-sandbox-assets/list-sandbox-assets.ts";
import { listSandboxOffers } from "./catalog/list-sandbox-offers/list-sandbox-offers.ts";
import { resolveSlugs } from "./catalog/resolve-slugs/resolve-slugs.ts";
import { getEntry } from "./changelog/get-entry/get-entry.ts";
import { listEntries } from "./changelog/list-entries/list-entries.ts";
import { listItemEntries } from "./changelog/list-item-entries/list-item-entries.ts";
import { listSandboxEntries } from "./changelog/list-sandbox-entries/list-sandbox-entries.ts";
import { searchEntries } from "./changelog/search-entries/search-entries.ts";
import { checkHealth } from "./health/check-health/check-health.ts";
import { trpc } from "./operation.ts";
import { getPrice } from "./pricing/get-price/get-price.ts";
import { listFeaturedDiscounts } from "./pricing/list-featured-discounts/list-featured-discounts.ts";
import { listFreeGameSellers } from "./pricing/list-free-game-sellers/list-free-game-sellers.ts";
import { listMobileFreeGames } from "./pricing/list-mobile-free-games/list-mobile-free-games.ts";
import { listPriceHistory } from "./pricing/list-price-history/list-price-history.ts";
import { listRegions } from "./pricing/list-regions/list-regions.ts";
import { listReviews } from "./reviews/list-reviews/list-reviews.ts";
import { countFacets } from "./search/count-facets/count-facets.ts";
import { getSavedQuery } from "./search/get-saved-query/get-saved-query.ts";
import { saveQuery } from "./search/save-query/save-query.ts";
import { searchOffersByMeaning } from "./search/search-offers-by-meaning/search-offers-by-meaning.ts";
import { searchOffers } from "./search/search-offers/search-offers.ts";

/** Every operation, for tRPC clients and the REST surface alike. */
export const appRouter = trpc.router({
  catalog: trpc.router({
    getSandbox,
    listSandboxAssets,
    listSandboxOffers,
    listItems,
    getItem,
    getItemOffer,
    listItemBuilds,
    getOffer,
    getOfferOverview,
    listOfferCollection,
    resolveSlugs,
    checkOffersExist,
  }),
  pricing: trpc.router({
    getPrice,
    listPriceHistory,
    listFeaturedDiscounts,
    listMobileFreeGames,
    listFreeGameSellers,
    listRegions,
  }),
  reviews: trpc.router({ listReviews }),
  changelog: trpc.router({
    listEntries,
    getEntry,
    listSandboxEntries,
    listItemEntries,
    searchEntries,
  }),
  search: trpc.router({
    searchOffers,
    saveQuery,
    getSavedQuery,
    countFacets,
    searchOffersByMeaning,
  }),
  health: trpc.router({ checkHealth }),
});

export type AppRouter = typeof appRouter;
