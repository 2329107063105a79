import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { OfferText } from "@storefront/contracts/catalog/v1/offer_text";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { HealthService } from "@storefront/contracts/health/v1/health_service";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { createTransport } from "@storefront/rpc";
import type { ClientMetrics, TlsCredentials } from "@storefront/rpc";
import type { ServiceName } from "@storefront/config";
import type { FeedName } from "../tags/feed-name.ts";
import { contextKeyOf, contextRefOf } from "./context-key.ts";
import type { BreakerOptions } from "./circuit-breaker.ts";
import { guardedTransport } from "./guarded-transport.ts";
import type { UpstreamState } from "./guarded-transport.ts";
import { noteChangeContext, noteOffer, notePrice } from "./lookup-reads.ts";
import { recordingTransport } from "./recording-transport.ts";
import { createBatchLoader } from "./batch-loader.ts";
import type { BatchLoader } from "./batch-loader.ts";

/** An offer and its text in the locale asked for, if there is one. */
export interface FoundOffer {
  offer: Offer;
  text: OfferText | undefined;
}

/** Typed access to the services. Calls fail with ConnectErrors. */
export interface Clients {
  catalog: Client<typeof CatalogService>;
  pricing: Client<typeof PricingService>;
  reviews: Client<typeof ReviewsService>;
  changelog: Client<typeof ChangelogService>;
  search: Client<typeof SearchService>;
  /** On connections of their own, because each of these calls keeps one for as long as it lasts. */
  changelogStreams: Pick<Client<typeof ChangelogService>, "watchEntries">;
  health: Record<ServiceName, Client<typeof HealthService>>;
  feeds: Record<FeedName, Client<typeof FeedService>>;
  /** Offers by their ids; the group is the locale, empty for canonical texts only. */
  loadOffers: BatchLoader<FoundOffer>;
  /** The prices of offers by their ids; the group is the region. */
  loadPrices: BatchLoader<OfferPrice>;
  /** The records that changelog entries are about, by their keys; all are of one group. */
  loadChangeContexts: BatchLoader<ChangeContext>;
  /** How the unary calls to each service stand. */
  upstreams: Record<ServiceName, UpstreamState>;
  /** Lets calls under way finish, which streams must be told to, then closes the connections. */
  close(): Promise<void>;
}

// Offers are some kilobytes each and an answer holds 64 MiB; the contract's cap is 1,000.
const offersPerBatch = 500;
const pricesPerBatch = 1000;
const contextsPerBatch = 500;

// The changelog hub's watch, and one of before that is about to end.
const changelogStreamsMax = 2;

const defaultConnectionsMax = 64;
const defaultQueueMax = 512;
const defaultBreaker: BreakerOptions = { failuresMax: 10, pauseMs: 1000 };

/** How the services are called. */
export interface ClientOptions {
  /** Connections to each service, streams aside; default 64. */
  upstreamConnectionsMax?: number | undefined;
  /** Calls that may wait for a connection to a service; what is more fails at once. Default 512. */
  upstreamQueueMax?: number | undefined;
  /** When a service counts as down; default after 10 calls in a row, for a second. */
  breaker?: BreakerOptions | undefined;
  /** For services whose address is `https://`; default: nothing to show, and the authorities of Node. */
  tls?: TlsCredentials | undefined;
  /** Counts and times the unary calls; default: nothing does. */
  metrics?: ClientMetrics | undefined;
}

/** Clients of the services at these addresses (base URLs of their Connect ports). */
export function createClients(
  urls: Record<ServiceName, string>,
  {
    upstreamConnectionsMax: maxConnections = defaultConnectionsMax,
    upstreamQueueMax = defaultQueueMax,
    breaker = defaultBreaker,
    tls,
    metrics,
  }: ClientOptions = {},
): Clients {
  const open = (name: ServiceName) =>
    guardedTransport(
      createTransport({
        baseUrl: urls[name],
        maxConnections,
        tls,
        metrics: metrics && { upstream: name, metrics },
      }),
      { callsMax: maxConnections + upstreamQueueMax, breaker },
    );
  const guarded = {
    catalog: open("catalog"),
    pricing: open("pricing"),
    reviews: open("reviews"),
    changelog: open("changelog"),
    search: open("search"),
  };
  const transports = {
    catalog: recordingTransport(guarded.catalog),
    pricing: recordingTransport(guarded.pricing),
    reviews: recordingTransport(guarded.reviews),
    changelog: recordingTransport(guarded.changelog),
    search: recordingTransport(guarded.search),
    changelogStreams: createTransport({
      baseUrl: urls.changelog,
      maxConnections: changelogStreamsMax,
      tls,
    }),
  };
  const catalog = createClient(CatalogService, transports.catalog);
  const pricing = createClient(PricingService, transports.pricing);
  return {
    catalog,
    pricing,
    reviews: createClient(ReviewsService, transports.reviews),
    changelog: createClient(ChangelogService, transports.changelog),
    search: createClient(SearchService, transports.search),
    changelogStreams: createClient(ChangelogService, transports.changelogStreams),
    health: {
      catalog: createClient(HealthService, transports.catalog),
      pricing: createClient(HealthService, transports.pricing),
      reviews: createClient(HealthService, transports.reviews),
      changelog: createClient(HealthService, transports.changelog),
      search: createClient(HealthService, transports.search),
    },
    feeds: {
      catalog: createClient(FeedService, transports.catalog),
      pricing: createClient(FeedService, transports.pricing),
      reviews: createClient(FeedService, transports.reviews),
      changelog: createClient(FeedService, transports.changelog),
    },
    loadOffers: createBatchLoader(
      offersPerBatch,
      async (locale, offerIds, options) => {
        const { offers, texts } = await catalog.batchGetOffers({ offerIds, locale }, options);
        const textByOffer = new Map(texts.map((text) => [text.offerId, text]));
        return new Map(
          offers.map((offer) => [offer.id, { offer, text: textByOffer.get(offer.id) }]),
        );
      },
      noteOffer,
    ),
    loadPrices: createBatchLoader(
      pricesPerBatch,
      async (region, offerIds, options) => {
        const { prices } = await pricing.batchGetPrices({ offerIds, region }, options);
        return new Map(prices.map((price) => [price.offerId, price]));
      },
      notePrice,
    ),
    loadChangeContexts: createBatchLoader(
      contextsPerBatch,
      async (_group, keys, options) => {
        const refs = keys.map(contextRefOf);
        const { contexts } = await catalog.batchGetChangeContexts({ refs }, options);
        return new Map(
          contexts.flatMap((context) =>
            context.ref === undefined ? [] : [[contextKeyOf(context.ref), context] as const],
          ),
        );
      },
      noteChangeContext,
    ),
    upstreams: {
      catalog: guarded.catalog.state,
      pricing: guarded.pricing.state,
      reviews: guarded.reviews.state,
      changelog: guarded.changelog.state,
      search: guarded.search.state,
    },
    close: async () => {
      await Promise.all(Object.values(transports).map((transport) => transport.close()));
    },
  };
}
