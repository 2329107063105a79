import type { JsonObject } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import type { Client, Transport } from "@connectrpc/connect";
import {
  CatalogIngestService,
  type CatalogObservation,
} from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { HealthService } from "@storefront/contracts/health/v1/health_service";
import {
  PricingIngestService,
  type PricingObservation,
} from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import {
  ReviewsIngestService,
  type ReviewsObservation,
} from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import { SearchIngestService } from "@storefront/contracts/search/v1/search_ingest_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { kinds } from "@storefront/import-format";
import { createTransport } from "@storefront/rpc";
import { catalogService } from "@storefront/service-catalog";
import { changelogService, createChangelogService } from "@storefront/service-changelog";
import { pricingService } from "@storefront/service-pricing";
import { ingestToken, serveForTests, silentLogger } from "@storefront/service-process/testing";
import type { TestDatabaseOptions } from "@storefront/testkit";
import { vi } from "vitest";
import { reviewsService } from "@storefront/service-reviews";
import type { VectorSet } from "../../src/engine/index-documents.ts";
import { nearTablesOf } from "../../src/engine/postgres/near/near-tables.ts";
import { createSearchService, searchService } from "../../src/index.ts";
import type { Embedder, SearchEngine } from "../../src/index.ts";

/** An observation in the import format; later ones have later times. */
export interface Line {
  readonly kind: string;
  readonly op?: "upsert" | "delete";
  readonly record: object;
  /** Time of observation; default a second after the previous one. */
  readonly seenAt?: Date;
}

/** The running services that search follows. */
export interface Sources {
  readonly database: Database;
  readonly urls: Readonly<Record<"catalog" | "pricing" | "reviews" | "changelog", string>>;
  /** Sends observations to their services, each by default a second after the previous one. */
  ingest(lines: readonly Line[]): Promise<void>;
  /** Forgets the price with this key: offer and region. */
  forgetPrice(key: string[]): Promise<void>;
  close(): Promise<void>;
}

/** A search that follows sources. */
export interface RunningSearch {
  readonly search: Client<typeof SearchService>;
  readonly health: Client<typeof HealthService>;
  /** With the token. */
  readonly index: Client<typeof SearchIndexService>;
  /** With the token. */
  readonly ingest: Client<typeof SearchIngestService>;
  readonly withToken: Transport;
  close(): Promise<void>;
}

/** Opens a database with every schema, and serves catalog, pricing, reviews and changelog on it. */
export async function startSources(options: TestDatabaseOptions): Promise<Sources> {
  const database = await openDatabase(options);
  const services = [
    catalogService,
    pricingService,
    reviewsService,
    changelogService,
    searchService,
  ];
  for (const { migrations } of services) await migrate(database, migrations);
  const parts = { database, ingestTokens: [ingestToken], logger: silentLogger };
  const catalog = await serveForTests("catalog", catalogService.create(parts));
  const pricing = await serveForTests("pricing", pricingService.create(parts));
  const reviews = await serveForTests("reviews", reviewsService.create(parts));
  const service = createChangelogService({ ...parts, transportTo: () => catalog.connect });
  const changelog = await serveForTests("changelog", service);
  service.start();
  let seenMs = Date.UTC(2024, 0, 1);
  return {
    database,
    urls: {
      catalog: catalog.url,
      pricing: pricing.url,
      reviews: reviews.url,
      changelog: changelog.url,
    },
    async ingest(lines) {
      const seen = lines.map((line) => ({
        ...line,
        observedAt: line.seenAt ?? new Date((seenMs += 1_000)),
      }));
      const within = { timeoutMs: 120_000 };
      const records = inBatches(observationsFor<CatalogObservation>("catalog", seen));
      const prices = inBatches(observationsFor<PricingObservation>("pricing", seen));
      const opinions = inBatches(observationsFor<ReviewsObservation>("reviews", seen));
      const [toCatalog, toPricing, toReviews] = [
        createClient(CatalogIngestService, catalog.grpc),
        createClient(PricingIngestService, pricing.grpc),
        createClient(ReviewsIngestService, reviews.grpc),
      ];
      refuseRejections(await Array.fromAsync(toCatalog.ingestCatalog(records, within)));
      refuseRejections(await Array.fromAsync(toPricing.ingestPricing(prices, within)));
      refuseRejections(await Array.fromAsync(toReviews.ingestReviews(opinions, within)));
    },
    async forgetPrice(key) {
      await createClient(PricingIngestService, pricing.grpc).forgetRecord({ kind: "price", key });
    },
    async close() {
      await changelog.close();
      await service.close();
      await Promise.all([catalog.close(), pricing.close(), reviews.close()]);
      await database.close();
    },
  };
}

/** Serves a search that follows sources, on their database. */
export async function startSearch(
  { database, urls }: Sources,
  { embedder, engine }: { embedder?: Embedder; engine?: SearchEngine } = {},
): Promise<RunningSearch> {
  const followed = {
    catalog: createTransport({ baseUrl: urls.catalog }),
    pricing: createTransport({ baseUrl: urls.pricing }),
    reviews: createTransport({ baseUrl: urls.reviews }),
    changelog: createTransport({ baseUrl: urls.changelog }),
  };
  const service = createSearchService({
    database,
    logger: silentLogger,
    ingestTokens: [ingestToken],
    transportTo: (name) => followed[name],
    ...(embedder === undefined ? {} : { embedder }),
    ...(engine === undefined ? {} : { engine }),
  });
  const served = await serveForTests("search", service);
  service.start();
  return {
    search: createClient(SearchService, served.connect),
    health: createClient(HealthService, served.connect),
    index: createClient(SearchIndexService, served.grpc),
    ingest: createClient(SearchIngestService, served.grpc),
    withToken: served.grpc,
    async close() {
      await served.close();
      await service.close();
      await Promise.all(Object.values(followed).map((each) => each.close()));
    },
  };
}

/** Resolves when a condition holds; rejects after a limit, 20 s by default. */
export async function eventually(
  condition: () => Promise<boolean>,
  { limitMs = 20_000 } = {},
): Promise<void> {
  await vi.waitUntil(condition, { timeout: limitMs, interval: 10 });
}

/** Whether search has applied and indexed everything that the sources have committed. */
export async function isCaughtUp(database: Database): Promise<boolean> {
  const row = await database.readOne<{ is_behind: boolean }>(
    `select
      (select coalesce(max(seq), 0) from catalog.change_log
        where kind in ('offer', 'item', 'build', 'asset', 'sandbox'))
        > coalesce((select sequence from search.feed_cursor where feed = 'catalog'), 0)
      or (select coalesce(max(seq), 0) from pricing.change_log)
        > coalesce((select sequence from search.feed_cursor where feed = 'region prices'), 0)
      or (select coalesce(max(seq), 0) from reviews.change_log)
        > coalesce((select sequence from search.feed_cursor where feed = 'reviews'), 0)
      or (select count(*) from catalog.change_log
        where kind in ('offer', 'item', 'build', 'asset', 'sandbox'))
        > (select count(*) from search.source_entry)
      or not exists (select from search.generation where is_live)
      or exists (select from search.outbox)
      as is_behind`,
  );
  return row?.is_behind === false;
}

/** Whether the copy for pgvector has all live vectors. */
export async function isIndexed(database: Database): Promise<boolean> {
  const live = await database.readOne<{ number: number; vector_set: VectorSet }>(
    "select number, vector_set from search.generation where is_live and signature not like '% none'",
  );
  if (live === undefined) return false;
  const { stored, near } = nearTablesOf(live.number, live.vector_set);
  const row = await database.readOne<{ is_indexed: boolean }>(
    `select not exists (select number, version from ${stored} except select number, version from ${near})
      as is_indexed`,
  );
  return row?.is_indexed === true;
}

type Seen = Line & { readonly observedAt: Date };

/** The observations of the lines for a service; without rankings, which search does not follow. */
function observationsFor<Of extends CatalogObservation | PricingObservation | ReviewsObservation>(
  service: "catalog" | "pricing" | "reviews",
  lines: readonly Seen[],
): Pick<Of, "operation" | "observedAt" | "record">[] {
  // As in an export: past prices may have another currency than their region has now.
  const { DELETE, UPSERT, RESTORE } = ObservationOperation;
  const stored = service === "pricing" ? RESTORE : UPSERT;
  return lines.flatMap(({ kind: name, op, observedAt, record }) => {
    const kind = kinds.get(name);
    if (kind?.service !== service || name === "ranking") return [];
    return {
      operation: op === "delete" ? DELETE : stored,
      observedAt: timestampFromDate(observedAt),
      record: { case: name, value: kind.read(record as JsonObject).record } as Of["record"],
    };
  });
}

async function* inBatches<Observation>(all: readonly Observation[]) {
  for (let at = 0; at < all.length; at += 500) yield { observations: all.slice(at, at + 500) };
}

function refuseRejections(
  responses: readonly { rejections: readonly { reason: string }[] }[],
): void {
  const [first] = responses.flatMap(({ rejections }) => rejections);
  if (first !== undefined) throw new Error(first.reason);
}
