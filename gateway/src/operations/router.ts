import { getOfferOverview } from "./catalog/get-offer-overview.ts";
import { getItem, getItemOffer, listItemBuilds, listItems } from "./catalog/items.ts";
import { checkOffersExist, resolveSlugs } from "./catalog/offer-ids.ts";
import { batchGetOffers, getOffer, listOfferCollection, listOffers } from "./catalog/offers.ts";
import {
  getSandbox,
  listSandboxAssets,
  listSandboxes,
  listSandboxOffers,
} from "./catalog/sandboxes.ts";
import { getEntry, listEntries, listItemEntries, watchEntries } from "./changelog/entries.ts";
import { listSandboxEntries, searchEntries } from "./changelog/entry-hits.ts";
import { checkHealth } from "./health/check-health.ts";
import { trpc } from "./operation.ts";
import {
  getFreeGamesAtomFeed,
  getFreeGamesCalendar,
  getFreeGamesJsonFeed,
} from "./pricing/free-game-feeds.ts";
import { listFreeGameSellers, listFreeGames, listMobileFreeGames } from "./pricing/free-games.ts";
import { listFeaturedDiscounts } from "./pricing/list-featured-discounts.ts";
import { listPriceChanges, watchPriceChanges } from "./pricing/price-changes.ts";
import { getPrice, listOfferPrices, listPriceHistory, listRegions } from "./pricing/prices.ts";
import type { StreamOperation, WebFeed } from "./rest-operation.ts";
import { listReviews } from "./reviews/list-reviews.ts";
import { listSellers, listTags } from "./search/facet-lists.ts";
import {
  getQueryAtomFeed,
  getQueryJsonFeed,
  readQueryAtomFeed,
  readQueryJsonFeed,
} from "./search/query-feeds.ts";
import {
  countFacets,
  countQuery,
  createQuery,
  getQuery,
  getSavedQuery,
  saveQuery,
} from "./search/saved-queries.ts";
import { findOffers } from "./search/find-offers.ts";
import { searchOffersByMeaning } from "./search/search-offers-by-meaning.ts";
import { searchOffers } from "./search/search-offers.ts";
import { suggest } from "./search/suggest.ts";
import { followQuery, watchQuery } from "./search/watch-query.ts";
import { watchSnapshotChanges } from "./snapshot/snapshot.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from "./webhooks/webhooks.ts";

/** The operations of tRPC clients and of the REST surface. */
export const appRouter = trpc.router({
  catalog: trpc.router({
    getSandbox,
    listSandboxes,
    listSandboxAssets,
    listSandboxOffers,
    listItems,
    getItem,
    getItemOffer,
    listItemBuilds,
    getOffer,
    listOffers,
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
    findOffers,
    createQuery,
    getQuery,
    countQuery,
    saveQuery,
    getSavedQuery,
    countFacets,
    listTags,
    listSellers,
    suggest,
    searchOffersByMeaning,
  }),
  webhooks: trpc.router({
    createWebhook,
    listWebhooks,
    getWebhook,
    updateWebhook,
    deleteWebhook,
    testWebhook,
    rotateWebhookSecret,
    listWebhookDeliveries,
    redeliverWebhook,
  }),
  health: trpc.router({ checkHealth }),
});

export type AppRouter = typeof appRouter;

/** Further operations of the REST surface. */
export const streams: readonly StreamOperation[] = [
  watchEntries,
  watchPriceChanges,
  watchSnapshotChanges,
  followQuery,
  watchQuery,
];

/** Streams that tRPC clients have as well, by the path of the subscription. */
export const subscriptions: Readonly<Record<string, StreamOperation>> = {
  "changelog.watchEntries": watchEntries,
  "pricing.watchPriceChanges": watchPriceChanges,
  "search.followQuery": followQuery,
};

export const webFeeds: readonly WebFeed[] = [
  getFreeGamesCalendar,
  getFreeGamesAtomFeed,
  getFreeGamesJsonFeed,
  readQueryAtomFeed,
  readQueryJsonFeed,
  getQueryAtomFeed,
  getQueryJsonFeed,
];
