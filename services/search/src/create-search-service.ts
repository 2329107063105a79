import type { Transport } from "@connectrpc/connect";
import { FeedMetrics, followFeed } from "@storefront/change-feed";
import type { FeedFollower, Resynchronise } from "@storefront/change-feed";
import { cachedWhileIdle, migrationCheck } from "@storefront/database";
import type { Database } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import type { ProvidedService, ReadinessChecks } from "@storefront/rpc";
import type { Logger, Metrics } from "@storefront/telemetry";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { indexSignature } from "./domain/index-signature.ts";
import type { Embedder } from "./embedder/embedder.ts";
import { createPostgresEngine } from "./engine/postgres/create-postgres-engine.ts";
import { firstSearch } from "./engine/first-search.ts";
import type { SearchEngine } from "./engine/search-engine.ts";
import { applyCatalogFeed, catalogKinds } from "./indexing/apply-catalog-feed.ts";
import { applyChangelogFeed } from "./indexing/apply-changelog-feed.ts";
import { applyPricingFeed } from "./indexing/apply-pricing-feed.ts";
import { createEmbeddingLoop } from "./indexing/embedding-loop.ts";
import { IndexConfiguration } from "./indexing/index-configuration.ts";
import { createIndexKeeper } from "./indexing/index-keeper.ts";
import { indexOnceCaughtUp } from "./indexing/index-once-caught-up.ts";
import { indexFeed } from "./indexing/index-writer.ts";
import type { ApplyFeed } from "./indexing/index-writer.ts";
import { createLearningLoop } from "./indexing/learning-loop.ts";
import { ReindexControl } from "./indexing/reindex-control.ts";
import { createPruningLoop } from "./indexing/pruning-loop.ts";
import { requireIndex } from "./indexing/require-index.ts";
import { resynchroniseSearch } from "./indexing/resynchronise-search.ts";
import { createVectorIndexLoop } from "./indexing/vector-index-loop.ts";
import { observeEmbedder } from "./metrics/observe-embedder.ts";
import { observeEngine } from "./metrics/observe-engine.ts";
import { reportIndex } from "./metrics/report-index.ts";
import { routes } from "./routes.ts";
import type { FollowedFeed } from "./store/held-records.ts";
import { SavedQueryStore } from "./store/saved-query-store.ts";
import { TrainingStore } from "./store/training-store.ts";

/** Where the service's tables come from. */
export const searchMigrations = {
  schema: "search",
  directory: new URL("../migrations", import.meta.url),
} as const;

/** Rises whenever documents are made otherwise, so that old indexes are built anew. */
const indexFormat = 3;

/** Rises whenever what is kept of the feeds, or an index made of it, is made otherwise. */
const projectionVersion = 1;

/** What the search needs from whoever runs it. */
export interface SearchServiceOptions {
  /** Database whose schema `search` is migrated, or will be before the first call. */
  database: Database;
  logger: Logger;
  /** Where the lag behind the feeds, the index and its engine are reported; default nowhere. */
  metrics?: Metrics;
  /** Asked of every call that looks after the index as a bearer token. */
  ingestTokens: readonly string[];
  /** How the followed services are called. The caller closes them, last. */
  catalog: Transport;
  pricing: Transport;
  changelog: Transport;
  /** Default: the postgres engine in the same database. Closed with the service. */
  engine?: SearchEngine;
  /** Default none: searching by meaning is refused, unless the engine embeds by itself. */
  embedder?: Embedder;
}

/** A service that follows feeds, ready to be migrated, served and started. */
export interface SearchServiceParts {
  services: ProvidedService[];
  /** Each rejects while the service cannot answer. */
  readiness: ReadinessChecks;
  /** Begins to follow the feeds, and makes the index if there is none; call it when the database is migrated. */
  start(): void;
  /** Stops following, after the transactions under way; call it before the database is closed. */
  close(): Promise<void>;
}

/** Composes the search's services on a database. */
export function createSearchService(options: SearchServiceOptions): SearchServiceParts {
  const { database, logger, metrics, ingestTokens } = options;
  const told = withServiceErrors(database);
  const plainEngine = options.engine ?? createPostgresEngine(told, logger);
  const engine = metrics === undefined ? plainEngine : observeEngine(plainEngine, metrics);
  const embedder =
    metrics === undefined || options.embedder === undefined
      ? options.embedder
      : observeEmbedder(options.embedder, metrics);
  if (metrics !== undefined) reportIndex(metrics, database, plainEngine);
  const model = embedder?.model ?? engine.ownEmbedding?.model;
  const signature = indexSignature({ engine: engine.name, format: indexFormat, model });
  const configuration = new IndexConfiguration({ database: told, signature, projectionVersion });
  const reindexing = {
    database: told,
    engine,
    signature,
    holder: `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`,
    configuration,
    embedder,
    trainings: new TrainingStore(told),
    wake: () => {
      for (const loop of vectorLoops) loop.wake();
    },
  };
  const keeper = createIndexKeeper(reindexing, logger);
  const reindexes = new ReindexControl(reindexing, () => keeper.wake());
  const vectorIndex = createVectorIndexLoop(reindexing, logger);
  const vectorLoops = [
    ...(model === undefined
      ? []
      : [createEmbeddingLoop(reindexing, logger, () => vectorIndex.wake()), vectorIndex]),
    ...(embedder?.train === undefined ? [] : [createLearningLoop(reindexing, logger)]),
  ];
  const searchFirst = firstSearch(engine);
  const askForIndex = async () => {
    await requireIndex(engine, keeper);
    await searchFirst();
  };
  const checkIndex = engine.isInDatabase
    ? cachedWhileIdle(database.polling, askForIndex)
    : askForIndex;
  const queries = new SavedQueryStore(told);
  const others = [...vectorLoops, createPruningLoop(queries, told, logger)];
  const feedMetrics = metrics && new FeedMetrics(metrics);
  const follow = (
    feed: FollowedFeed,
    apply: ApplyFeed,
    kinds: readonly string[],
  ): [string, FeedFollower] => {
    const index = indexFeed(apply, engine);
    const resynchronise: Resynchronise = (at) =>
      resynchroniseSearch(at, { database, feed, kinds, index });
    const follower = followFeed({
      feed,
      kinds,
      transport: options[feed],
      database,
      schema: searchMigrations.schema,
      projectionVersion,
      apply: index,
      resynchronise,
      rebuild: resynchronise,
      ...(feed === "catalog" && { onCommitted: reindexing.wake }),
      logger,
      metrics: feedMetrics,
    });
    return [feed, follower];
  };
  const feeds = new Map([
    follow("catalog", applyCatalogFeed, catalogKinds),
    follow("pricing", applyPricingFeed, ["price", "giveaway"]),
    follow("changelog", applyChangelogFeed, ["entry"]),
  ]);
  const stopping = new AbortController();
  let starting: Promise<void> | undefined;
  return {
    services: routes({
      database: told,
      queries,
      ingestTokens,
      reindexing,
      reindexes,
      checkIndex,
      feeds,
    }),
    readiness: {
      database: migrationCheck(database, searchMigrations, logger),
      index: checkIndex,
    },
    start() {
      for (const feed of feeds.values()) feed.start();
      for (const loop of others) loop.start();
      starting ??= indexOnceCaughtUp({
        database: told,
        engine,
        keeper,
        feeds,
        signal: stopping.signal,
      });
    },
    async close() {
      stopping.abort();
      await starting;
      await Promise.all([
        ...[keeper, ...others].map((loop) => loop.close()),
        ...[...feeds.values()].map((feed) => feed.close()),
      ]);
      await configuration.close().catch((err: unknown) => {
        // Others take this process for dead after a while.
        logger.warn({ err }, "the end of this process cannot be noted");
      });
      await engine.close();
    },
  };
}
