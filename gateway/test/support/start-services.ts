import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import {
  DependencyKind,
  HealthService,
  HealthStatus,
} from "@storefront/contracts/health/v1/health_service";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound, provide, serve, ServiceError } from "@storefront/rpc";
import type { ProvidedService, RunningServer } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import type { ServiceName } from "@storefront/config";
import { createEntryLog } from "./entry-log.ts";
import type { EntryLog } from "./entry-log.ts";
import { createFeed } from "./feed.ts";
import type { TestFeed } from "./feed.ts";
import { records } from "./records.ts";
import { createSearch } from "./search.ts";

/** A call that a service got. */
export interface RecordedCall {
  /** Method in lowerCamelCase. */
  method: string;
  request: Record<string, unknown>;
  headers: Headers;
  /** Aborted when the caller gives the call up, and when it has ended. */
  signal: AbortSignal;
}

/** What runs before a handler: may wait or throw. */
export type Interference = () => Promise<void>;

/** Real servers over records in memory. */
export interface TestServices {
  calls: RecordedCall[];
  /** By method; removed by `reset`. */
  interfere: Map<string, Interference>;
  /** What the changelog service serves. */
  log: EntryLog;
  /** What each service that owns records commits. */
  feeds: Record<"catalog" | "pricing" | "reviews" | "changelog", TestFeed>;
  urls: Record<ServiceName, string>;
  reset(): void;
  close(): Promise<void>;
}

const known = <Found>(found: Found | undefined, reason: ErrorReason): Found => {
  if (found === undefined) throw notFound(reason, "upstream text that clients must not see");
  return found;
};

const textOf = (offerId: string, locale: string) =>
  records.texts.find((text) => text.offerId === offerId && text.locale === locale);

const textsOf = (offerIds: string[], locale: string) =>
  offerIds.flatMap((offerId) => textOf(offerId, locale) ?? []);

const inOrder = <Found>(ids: string[], find: (id: string) => Found | undefined): Found[] =>
  [...new Set(ids)].flatMap((id) => find(id) ?? []);

const findOffer = (id: string) => records.offers.find((offer) => offer.id === id);
const findItem = (id: string) => [...records.items, records.defect].find((item) => item.id === id);
const requireSandbox = (id: string) =>
  known(
    records.sandboxes.find((sandbox) => sandbox.id === id),
    ErrorReason.SANDBOX_NOT_FOUND,
  );

const catalog: Partial<ServiceImpl<typeof CatalogService>> = {
  getSandbox: ({ sandboxId }) => ({ sandbox: requireSandbox(sandboxId) }),
  listSandboxAssets: ({ sandboxId }) => {
    requireSandbox(sandboxId);
    return { assets: records.assets, totalSize: 1n };
  },
  listSandboxOffers: ({ sandboxId, locale }) => {
    requireSandbox(sandboxId);
    const texts = textsOf(["full"], locale);
    return { offers: records.offers, texts, totalSize: 3n };
  },
  batchGetOffers: ({ offerIds, locale }) => {
    if (offerIds.includes("too-large") && offerIds.length > 1) {
      throw new ServiceError({
        code: Code.ResourceExhausted,
        reason: ErrorReason.UNSPECIFIED,
        message: "too large",
      });
    }
    const offers = inOrder(offerIds, findOffer);
    return { offers, texts: textsOf(offerIds, locale) };
  },
  getOfferOverview: ({ offerId }) => {
    known(findOffer(offerId), ErrorReason.OFFER_NOT_FOUND);
    return offerId === "full" ? records.overview : {};
  },
  listRankedOffers: () => ({
    rankedOffers: [
      { offerId: "gone", position: 1 },
      { offerId: "full", position: 2 },
      { offerId: "bare", position: 3 },
    ],
  }),
  countOffersBySeller: () => ({
    sellerCounts: [{ seller: { id: "s1", name: "Seller" }, offerCount: 2n }, { offerCount: 1n }],
  }),
  resolveSlugs: ({ slugs }) => ({
    mappings: slugs.map((slug) =>
      slug === "full" ? { slug, offerId: "full", namespace: "room" } : { slug },
    ),
  }),
  checkOffersExist: ({ offerIds }) => ({
    existingOfferIds: inOrder(offerIds, findOffer).map(({ id }) => id),
  }),
  listItems: () => ({ items: records.items, totalSize: 1n }),
  getItem: ({ itemId }) => ({ item: known(findItem(itemId), ErrorReason.ITEM_NOT_FOUND) }),
  getItemOffer: ({ itemId, locale }) => {
    known(findItem(itemId), ErrorReason.ITEM_WITHOUT_OFFER);
    const text = textOf("full", locale);
    return {
      offer: known(findOffer("full"), ErrorReason.ITEM_WITHOUT_OFFER),
      ...(text && { text }),
    };
  },
  listItemBuilds: ({ itemId }) => ({
    item: known(findItem(itemId), ErrorReason.ITEM_NOT_FOUND),
    builds: records.builds,
  }),
  batchGetChangeContexts: ({ refs }) => ({
    contexts: refs.flatMap((ref) => {
      const record = contextRecord(ref.contextType, ref.contextId);
      if (record === undefined) return [];
      const item = record.case === "asset" ? findItem(record.value.itemId ?? "") : undefined;
      return [{ ref, record, ...(item && { assetItem: item }) }];
    }),
  }),
};

function contextRecord(type: string, id: string) {
  switch (type) {
    case "offer": {
      const value = findOffer(id);
      return value && { case: type, value };
    }
    case "item": {
      const value = findItem(id);
      return value && { case: type, value };
    }
    case "asset": {
      const value = records.assets.find(({ artifactId }) => artifactId === id);
      return value && { case: type, value };
    }
    case "build": {
      const value = records.builds.find(({ build }) => build?.id === id)?.build;
      return value && { case: type, value };
    }
    default:
      return undefined;
  }
}

const findPrice = (region: string) => (id: string) =>
  records.prices.find((price) => price.offerId === id && price.region === region);

const pricing: Partial<ServiceImpl<typeof PricingService>> = {
  batchGetPrices: ({ offerIds, region }) => ({ prices: inOrder(offerIds, findPrice(region)) }),
  listDiscountedPrices: ({ offerIds, region }) => ({
    prices: inOrder(offerIds, findPrice(region)).filter(
      ({ price }) => (price?.discount ?? 0n) > 0n,
    ),
  }),
  listPriceHistory: ({ offerId, region }) => {
    const prices = records.prices.filter(
      (price) => price.offerId === offerId && price.region === region,
    );
    return { prices, totalSize: BigInt(prices.length) };
  },
  listCurrentGiveaways: () => ({
    ...records.giveawayValidity,
    currentGiveaways: records.giveaways.map((giveaway) => ({
      giveaway,
      historical:
        giveaway.id === "g1" ? [create(GiveawaySchema, { id: "g0", offerId: "full" })] : [],
    })),
  }),
  listOfferGiveaways: ({ offerId }) => ({
    giveaways: records.giveaways.filter((giveaway) => giveaway.offerId === offerId),
  }),
  listGivenAwayOffers: () => ({ ...records.giveawayValidity, offerIds: ["full", "gone"] }),
};

const reviews: Partial<ServiceImpl<typeof ReviewsService>> = {
  listReviews: ({ offerId }) => {
    const found = records.reviews.filter((review) => review.offerId === offerId);
    return { reviews: found, totalSize: BigInt(found.length) };
  },
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
  const search = createSearch();
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
          calls.push({ method, request: { ...request }, headers, signal });
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
  const servers: Record<keyof TestServices["urls"], RunningServer> = {
    catalog: await start("catalog", [
      provide(CatalogService, catalog),
      provide(FeedService, feeds.catalog.handlers),
      provide(HealthService, health),
    ]),
    pricing: await start("pricing", [
      provide(PricingService, pricing),
      provide(FeedService, feeds.pricing.handlers),
      provide(HealthService, health),
    ]),
    reviews: await start("reviews", [
      provide(ReviewsService, reviews),
      provide(FeedService, feeds.reviews.handlers),
      provide(HealthService, health),
    ]),
    changelog: await start("changelog", [
      provide(ChangelogService, log.handlers),
      provide(FeedService, feeds.changelog.handlers),
      provide(HealthService, health),
    ]),
    search: await start("search", [
      provide(SearchService, search.handlers),
      provide(HealthService, health),
    ]),
  };
  return {
    calls,
    interfere,
    log,
    feeds,
    urls: {
      catalog: `http://127.0.0.1:${servers.catalog.port}`,
      pricing: `http://127.0.0.1:${servers.pricing.port}`,
      reviews: `http://127.0.0.1:${servers.reviews.port}`,
      changelog: `http://127.0.0.1:${servers.changelog.port}`,
      search: `http://127.0.0.1:${servers.search.port}`,
    },
    reset() {
      calls.length = 0;
      interfere.clear();
      log.reset();
      search.reset();
    },
    close: async () => {
      log.endWatches();
      for (const feed of Object.values(feeds)) feed.interrupt();
      await Promise.all(Object.values(servers).map((server) => server.close()));
    },
  };
}
