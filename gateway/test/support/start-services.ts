import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import {
  DependencyKind,
  HealthService,
  HealthStatus,
} from "@storefront/contracts/health/v1/health_service";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { WebhookService } from "@storefront/contracts/webhooks/v1/webhook_service";
import { providePart, serve } from "@storefront/rpc";
import type { ProvidedService, RunningServer } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/process";
import type { ServiceName } from "@storefront/process";
import { catalogHandlers } from "./catalog-handlers.ts";
import { createEntryLog } from "./entry-log.ts";
import type { EntryLog } from "./entry-log.ts";
import { createFeed } from "./feed.ts";
import type { TestFeed } from "./feed.ts";
import { createPriceLog } from "./price-log.ts";
import type { PriceLog } from "./price-log.ts";
import { pricingHandlers } from "./pricing-handlers.ts";
import { records } from "./records.ts";
import { createSearch } from "./search.ts";
import { createWebhooks } from "./webhooks.ts";

/** A call that a service received. */
export interface RecordedCall {
  /** Method in lowerCamelCase. */
  method: string;
  request: Record<string, unknown>;
  headers: Headers;
  /** Aborted when the caller aborts the call, and when it has ended. */
  signal: AbortSignal;
}

/** Runs before a handler; may wait or throw. */
export type Interference = () => Promise<void>;

/** Real servers over records in memory. */
export interface TestServices {
  calls: RecordedCall[];
  /** The request of the first call of a method. */
  requestOf(method: string): RecordedCall["request"] | undefined;
  /** By method; removed by `reset`. */
  interfere: Map<string, Interference>;
  /** Entries that the changelog service serves. */
  log: EntryLog;
  /** Changes of prices that the pricing service serves. */
  prices: PriceLog;
  /** The commits of each service that owns records. */
  feeds: Record<"catalog" | "pricing" | "reviews" | "changelog", TestFeed>;
  urls: Record<ServiceName, string>;
  webhooksUrl: string;
  reset(): void;
  close(): Promise<void>;
}

const ratingsOf = (offerId: string) =>
  offerId === "full"
    ? { offerId, count: 1n, average: 7.5, histogram: [0n, 0n, 0n, 0n, 0n, 0n, 1n, 0n, 0n, 0n] }
    : { offerId };

const reviews: Partial<ServiceImpl<typeof ReviewsService>> = {
  listReviews: ({ offerId }) => {
    const found = records.reviews.filter((review) => review.offerId === offerId);
    return { reviews: found, totalSize: BigInt(found.length), ratings: ratingsOf(offerId) };
  },
  batchGetRatings: ({ offerIds }) => ({
    ratings: offerIds.filter((id) => id === "full").map(ratingsOf),
  }),
};

const health: Partial<ServiceImpl<typeof HealthService>> = {
  checkHealth: () => ({
    status: HealthStatus.OK,
    dependencies: [
      {
        kind: DependencyKind.DATABASE,
        name: "database",
        status: HealthStatus.OK,
        latencyMs: 1.25,
      },
    ],
  }),
};

/** Starts a service of each name on ports of the system's choice. */
export async function startServices(): Promise<TestServices> {
  const calls: RecordedCall[] = [];
  const interfere = new Map<string, Interference>();
  const log = createEntryLog();
  const prices = createPriceLog();
  const search = createSearch();
  const webhooks = createWebhooks();
  const feeds = {
    catalog: createFeed(),
    pricing: createFeed(),
    reviews: createFeed(),
    changelog: createFeed(),
  };

  const recorded = (service: ProvidedService): ProvidedService => ({
    ...service,
    methods: service.methods.map((spec) => {
      if (spec.kind !== "unary") return spec;
      const { impl } = spec;
      return {
        ...spec,
        impl: async (request: Parameters<typeof impl>[0], context: HandlerContext) => {
          const method = spec.method.localName;
          const { requestHeader: headers, signal } = context;
          // The gateway reads the regions in the background, not for a request.
          if (method !== "listRegions") {
            calls.push({ method, request: { ...request }, headers, signal });
          }
          await interfere.get(method)?.();
          return await impl(request, context);
        },
      };
    }),
  });

  const start = async (name: string, services: ProvidedService[]): Promise<RunningServer> =>
    await serve({
      name,
      services: services.map(recorded),
      port: 0,
      grpcPort: 0,
      host: "127.0.0.1",
      logger: createLogger({ service: name, level: "silent" }),
      metrics: createMetrics({ service: name }),
      shutdownTimeoutMs: 100,
    });
  const servers: Record<keyof TestServices["urls"] | "webhooks", RunningServer> = {
    catalog: await start("catalog", [
      providePart(CatalogService, catalogHandlers),
      providePart(FeedService, feeds.catalog.handlers),
      providePart(HealthService, health),
    ]),
    pricing: await start("pricing", [
      providePart(PricingService, { ...pricingHandlers, ...prices.handlers }),
      providePart(FeedService, feeds.pricing.handlers),
      providePart(HealthService, health),
    ]),
    reviews: await start("reviews", [
      providePart(ReviewsService, reviews),
      providePart(FeedService, feeds.reviews.handlers),
      providePart(HealthService, health),
    ]),
    changelog: await start("changelog", [
      providePart(ChangelogService, log.handlers),
      providePart(FeedService, feeds.changelog.handlers),
      providePart(HealthService, health),
    ]),
    search: await start("search", [
      providePart(SearchService, search.handlers),
      providePart(HealthService, health),
    ]),
    webhooks: await start("webhooks", [providePart(WebhookService, webhooks.handlers)]),
  };
  return {
    calls,
    requestOf: (method) => calls.find((call) => call.method === method)?.request,
    interfere,
    log,
    prices,
    feeds,
    urls: {
      catalog: `http://127.0.0.1:${servers.catalog.port}`,
      pricing: `http://127.0.0.1:${servers.pricing.port}`,
      reviews: `http://127.0.0.1:${servers.reviews.port}`,
      changelog: `http://127.0.0.1:${servers.changelog.port}`,
      search: `http://127.0.0.1:${servers.search.port}`,
    },
    webhooksUrl: `http://127.0.0.1:${servers.webhooks.port}`,
    reset() {
      calls.length = 0;
      interfere.clear();
      log.reset();
      prices.reset();
      search.reset();
      webhooks.reset();
    },
    close: async () => {
      log.endWatches();
      prices.endWatches();
      for (const feed of Object.values(feeds)) feed.interrupt();
      await Promise.all(Object.values(servers).map((server) => server.close()));
    },
  };
}
