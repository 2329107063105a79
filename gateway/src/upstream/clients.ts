import { createClient } from "@connectrpc/connect";
import { byService } from "@storefront/process";
import type { ServiceName } from "@storefront/process";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { OfferText } from "@storefront/contracts/catalog/v1/offer_text";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { HealthService } from "@storefront/contracts/health/v1/health_service";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import type { PricePast } from "@storefront/contracts/pricing/v1/price_past";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { WebhookService } from "@storefront/contracts/webhooks/v1/webhook_service";
import type { Locale, OfferId, Region } from "@storefront/domain/identifiers";
import { createTransport } from "@storefront/rpc";
import type { ClientMetrics, TlsCredentials } from "@storefront/rpc";
import { guardedTransport } from "./guarded-transport.ts";
import {
  contextKeyOf,
  contextRefOf,
  noteChangeContext,
  noteOffer,
  notePrice,
} from "./lookup-reads.ts";
import { upstreamDefaults } from "./upstream-options.ts";
import type { UpstreamOptions } from "./upstream-options.ts";
import { createServiceClient } from "./call-upstream.ts";
import { createBatchLoader } from "./batch-loader.ts";

/** An offer and its text in the requested locale, if there is one. */
export interface FoundOffer {
  offer: Offer;
  text: OfferText | undefined;
}

/** Offers, each with its text. */
export function foundOffers(offers: readonly Offer[], texts: readonly OfferText[]): FoundOffer[] {
  const textByOffer = new Map(texts.map((text) => [text.offerId, text]));
  return offers.map((offer) => ({ offer, text: textByOffer.get(offer.id) }));
}

/** A price and, where it was requested and this pricing has it, what its lows are made of. */
export interface FoundPrice {
  price: OfferPrice;
  past: PricePast | undefined;
}

/** Typed access to the services. Streams and feeds fail with ConnectErrors. */
export type Clients = ReturnType<typeof createClients>;

// The contract's caps. Offers have some kilobytes and a response up to 64 MiB; larger ones are split.
const offersPerBatch = 1000;
const pricesPerBatch = 1000;
const contextsPerBatch = 500;

// A hub's watch, and one of before that is about to end.
const hubStreamsMax = 2;

/** How many copies of the catalogue may follow its changes at a time. */
export const copiesMax = 20;

/** How the services are called; those that are absent have their defaults. */
export interface ClientOptions extends Partial<UpstreamOptions> {
  /** For services at `https://`; default: no certificate, and the authorities of Node. */
  tls?: TlsCredentials | undefined;
  /** Base URL of webhooks and what they require; default: there are none. */
  webhooks?: { url: string; token: string | undefined } | undefined;
  /** Of unary calls; default none. */
  clientMetrics?: ClientMetrics | undefined;
}

/** Clients of the services at these addresses (base URLs of their Connect ports). */
export function createClients(urls: Record<ServiceName, string>, given: ClientOptions = {}) {
  const {
    upstreamConnectionsMax: maxConnections,
    upstreamQueueMax,
    streamsMax,
    breaker,
    tls,
    webhooks,
    clientMetrics: metrics,
  } = { ...upstreamDefaults, ...given };
  const openTo = (upstream: string, baseUrl: string, token?: string) =>
    guardedTransport(
      createTransport({
        baseUrl,
        maxConnections,
        tls,
        token,
        metrics: metrics && { upstream, metrics },
      }),
      { callsMax: maxConnections + upstreamQueueMax, breaker },
    );
  const open = (name: ServiceName) => openTo(name, urls[name]);
  const webhooksTransport = webhooks && openTo("webhooks", webhooks.url, webhooks.token);
  const openStreams = (name: ServiceName, connectionsMax: number) =>
    createTransport({ baseUrl: urls[name], maxConnections: connectionsMax, tls });
  const transports = {
    ...byService(open),
    changelogStreams: openStreams("changelog", hubStreamsMax),
    pricingStreams: openStreams("pricing", hubStreamsMax),
    searchStreams: openStreams("search", streamsMax),
  };
  const feedTransports = byService((name) => openStreams(name, 1));
  // One more for the snapshot.
  const copyTransports = byService((name) => openStreams(name, copiesMax + 1));
  // Of joined calls, which are noted by their loaders.
  const catalog = createClient(CatalogService, transports.catalog);
  const pricing = createClient(PricingService, transports.pricing);
  const priceLoader = (withPasts: boolean) =>
    createBatchLoader<Region, OfferId, FoundPrice>(
      "pricing.BatchGetPrices",
      pricesPerBatch,
      async (region, offerIds, options) => {
        const request = { offerIds, region, withPasts };
        const { prices, pasts } = await pricing.batchGetPrices(request, options);
        return new Map(prices.map((price, at) => [price.offerId, { price, past: pasts[at] }]));
      },
      notePrice,
    );
  return {
    catalog: createServiceClient("catalog", CatalogService, transports.catalog),
    pricing: createServiceClient("pricing", PricingService, transports.pricing),
    reviews: createServiceClient("reviews", ReviewsService, transports.reviews),
    changelog: createServiceClient("changelog", ChangelogService, transports.changelog),
    search: createServiceClient("search", SearchService, transports.search),
    /** Undefined where the gateway has none. */
    webhooks:
      webhooksTransport && createServiceClient("webhooks", WebhookService, webhooksTransport),
    /** On connections of their own, because each of these calls occupies one for as long as it lasts. */
    changelogStreams: createClient(ChangelogService, transports.changelogStreams),
    pricingStreams: createClient(PricingService, transports.pricingStreams),
    searchStreams: createClient(SearchService, transports.searchStreams),
    health: byService((name) => createServiceClient(name, HealthService, transports[name])),
    /** On a connection of its own: a feed is followed all the time. */
    feeds: byService((name) => createClient(FeedService, feedTransports[name])),
    /** On connections of their own, one of each for every copy that follows. */
    copyFeeds: byService((name) => createClient(FeedService, copyTransports[name])),
    /** Offers by their ids; the group is the locale, empty for canonical texts only. */
    loadOffers: createBatchLoader<Locale | "", OfferId, FoundOffer>(
      "catalog.BatchGetOffers",
      offersPerBatch,
      async (locale, offerIds, options) => {
        const { offers, texts } = await catalog.batchGetOffers({ offerIds, locale }, options);
        return new Map(foundOffers(offers, texts).map((found) => [found.offer.id, found]));
      },
      noteOffer,
    ),
    /** The prices of offers by their ids; the group is the region. */
    loadPrices: priceLoader(false),
    /** The same with what their lows are made of. */
    loadPricesWithPasts: priceLoader(true),
    /** The records that changelog entries are about, by their keys; all are of one group. */
    loadChangeContexts: createBatchLoader<string, string, ChangeContext>(
      "catalog.BatchGetChangeContexts",
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
    upstreams: byService((name) => transports[name].state),
    /** Closes the connections after the calls in progress; streams have to be ended before. */
    close: async () => {
      const opened = [transports, feedTransports, copyTransports].flatMap((each) =>
        Object.values(each),
      );
      await Promise.all([
        webhooksTransport?.close(),
        ...opened.map((transport) => transport.close()),
      ]);
    },
  };
}
