import { batchGetOffers, getOffer, listOfferCollection } from "./catalog/offers.ts";
import { checkOffersExist, resolveSlugs } from "./catalog/offer-ids.ts";
import { getItemOffer, getItem, listItemBuilds, listItems } from "./catalog/items.ts";
import { getOfferOverview } from "./catalog/get-offer-overview.ts";
import { getSandbox, listSandboxAssets, listSandboxOffers } from "./catalog/sandboxes.ts";
import { getEntry, listEntries, listItemEntries } from "./changelog/entries.ts";
import { listSandboxEntries, searchEntries } from "./changelog/entry-hits.ts";
import { checkHealth } from "./health/check-health.ts";
import { trpc } from "./operation.ts";
import { getPrice, listOfferPrices, listPriceHistory, listRegions } from "./pricing/prices.ts";
import { listFeaturedDiscounts } from "./pricing/list-featured-discounts.ts";
import { listFreeGameSellers, listFreeGames, listMobileFreeGames } from "./pricing/free-games.ts";
import { listPriceChanges } from "./pricing/price-changes.ts";
import { listReviews } from "./reviews/list-reviews.ts";
import { countFacets, getSavedQuery, saveQuery } from "./search/saved-queries.ts";
import { searchOffersByMeaning } from "./search/search-offers-by-meaning.ts";
import { searchOffers } from "./search/search-offers.ts";

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
    batchGetOffers,
  }),
  pricing: trpc.router({
    getPrice,
    listPriceHistory,
    listFeaturedDiscounts,
    listFreeGames,
    listMobileFreeGames,
    listFreeGameSellers,
    listRegions,
    listOfferPrices,
    listPriceChanges,
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
