import { CommitSignal, FeedMetrics, followFeed } from "@storefront/change-feed";
import type { FeedFollower } from "@storefront/change-feed";
import { cachedWhileIdle, migrationCheck } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import type { FollowerDependencies, ServiceParts } from "@storefront/service-process";
import { indexFormat } from "./domain/offer-fields.ts";
import { indexSignature } from "./domain/index-signature.ts";
import { createPostgresEngine } from "./engine/postgres/create-postgres-engine.ts";
import { firstSearch, indexOnceCaughtUp } from "./indexing/index-once-caught-up.ts";
import { applyCatalogFeed, catalogKinds } from "./indexing/apply-catalog-feed.ts";
import { applyChangelogFeed } from "./indexing/apply-changelog-feed.ts";
import { applyPricingFeed } from "./indexing/apply-pricing-feed.ts";
import { applyReviewsFeed, createRatingLoop } from "./indexing/apply-reviews-feed.ts";
import { createEmbeddingLoop, createVectorIndexLoop } from "./indexing/embedding-loop.ts";
import { IndexConfiguration } from "./indexing/index-configuration.ts";
import { createIndexKeeper, requireIndex } from "./indexing/index-keeper.ts";
import { indexFeed } from "./indexing/index-writer.ts";
import type { ApplyFeed } from "./indexing/index-writer.ts";
import { createRetrainingLoop } from "./indexing/retrain.ts";
import { OutboxSender, outboxName } from "./indexing/outbox-sender.ts";
import { ReindexControl } from "./indexing/reindex-control.ts";
import { createPruningLoop } from "./indexing/background-loop.ts";
import { observeEmbedder, observeEngine } from "./metrics/observe-backends.ts";
import { reportIndex } from "./metrics/report-index.ts";
import { routes } from "./routes.ts";
import type { Embedder } from "./embedder/embedder.ts";
import type { SearchEngine } from "./engine/search-engine.ts";
import { storedKeys } from "./store/stored-keys.ts";
import { lacksFloors, pricesCursor } from "./store/price-store.ts";
import { QueryWatchStore } from "./store/query-watch-store.ts";
import { SavedQueryStore } from "./store/saved-query-store.ts";
import { TrainingStore } from "./store/training-store.ts";
import { QueryWatches, createWatchLoop } from "./watching/query-watches.ts";

type FollowedFeed = "catalog" | "pricing" | "reviews" | "changelog";

/** Migrations of the service's tables. */
export const searchMigrations = {
  schema: "search",
  directory: new URL("../migrations", import.meta.url),
} as const;

/**
 * Raised when stored feed data changes so that an older release must not write it any more, also after a rollback. Data
 * that is only added is completed by `isIncomplete`.
 */
const projectionVersion = 1;

interface SearchBackends {
  /** Default: the postgres engine in the service's database. Closed with the service. */
  engine?: SearchEngine | undefined;
  /** Default none: searches by meaning are refused, unless the engine embeds. */
  embedder?: Embedder | undefined;
}

/** Creates the search service, which follows the feeds and builds a missing index. */
export function createSearchService(
  options: FollowerDependencies<FollowedFeed> & SearchBackends,
): ServiceParts {
  const { database, logger, metrics, ingestTokens, transportTo } = options;
  const serviceDatabase = withServiceErrors(database);
  const plainEngine = options.engine ?? createPostgresEngine(serviceDatabase, logger);
  const engine = metrics === undefined ? plainEngine : observeEngine(plainEngine, metrics);
  const embedder =
    metrics === undefined || options.embedder === undefined
      ? options.embedder
      : observeEmbedder(options.embedder, metrics);
  if (metrics !== undefined) reportIndex(metrics, database, plainEngine);
  const model = embedder?.model ?? engine.ownEmbedding?.model;
  const making = { engine: engine.name, format: indexFormat };
  const signature = indexSignature({ ...making, model });
  const configuration = new IndexConfiguration({
    database: serviceDatabase,
    signature: async () => {
      const hasVectors = model !== undefined && (await engine.storesVectors());
      return hasVectors ? signature : indexSignature({ ...making, model: undefined });
    },
    projectionVersion,
  });
  const reindexing = {
    database: serviceDatabase,
    engine,
    signature,
    holder: configuration.replica,
    configuration,
    embedder,
    trainings: new TrainingStore(serviceDatabase),
    wake: () => {
      for (const loop of vectorLoops) loop.wake();
      outbox?.wake();
    },
  };
  const keeper = createIndexKeeper(reindexing, logger);
  const reindexes = new ReindexControl(reindexing, () => keeper.wake());
  const vectorIndex = createVectorIndexLoop(reindexing, logger);
  const vectorLoops = [
    ...(model === undefined
      ? []
      : [createEmbeddingLoop(reindexing, logger, () => vectorIndex.wake()), vectorIndex]),
    ...(embedder?.train === undefined ? [] : [createRetrainingLoop(reindexing, logger)]),
  ];
  const searchFirst = firstSearch(engine);
  const requireServingIndex = async () => {
    await requireIndex(engine, keeper);
    await searchFirst();
  };
  const checkIndex = engine.isInDatabase
    ? cachedWhileIdle(database.polling, requireServingIndex)
    : requireServingIndex;
  const queries = new SavedQueryStore(serviceDatabase);
  const watches = new QueryWatchStore(serviceDatabase);
  const queryEvents = new CommitSignal();
  const watching = { database: serviceDatabase, engine, queries, watches };
  const watchLoop = createWatchLoop({ ...watching, onEvents: () => queryEvents.notify() }, logger);
  const ratingLoop = createRatingLoop(serviceDatabase, engine, {
    logger,
    onRenewed: () => outbox?.wake(),
  });
  const others = [
    ...vectorLoops,
    createPruningLoop([queries, watches], serviceDatabase, logger),
    watchLoop,
    ratingLoop,
  ];
  const feedMetrics = metrics && new FeedMetrics(metrics);
  const outbox = engine.isInDatabase
    ? undefined
    : new OutboxSender({
        database: serviceDatabase,
        engine,
        projectionVersion,
        onSent: () => {
          for (const loop of [...vectorLoops, watchLoop]) loop.wake();
        },
        logger,
        metrics: feedMetrics,
      });
  const onCommitted: Readonly<Record<FollowedFeed, () => void>> = {
    catalog: () => {
      reindexing.wake();
      watchLoop.wake();
    },
    pricing: () => {
      outbox?.wake();
      watchLoop.wake();
    },
    reviews: () => {
      outbox?.wake();
      watchLoop.wake();
      ratingLoop.wake();
    },
    changelog: () => outbox?.wake(),
  };
  const follow = (
    feed: FollowedFeed,
    apply: ApplyFeed,
    kinds: readonly string[],
  ): [string, FeedFollower] => {
    const index = indexFeed(apply, engine);
    const follower = followFeed({
      feed,
      kinds,
      transport: transportTo(feed),
      database,
      schema: searchMigrations.schema,
      projectionVersion,
      apply: index,
      snapshot: { kinds, reconcile: index, storedKeys },
      ...(feed === "pricing" && { cursorName: pricesCursor, isIncomplete: lacksFloors }),
      onCommitted: onCommitted[feed],
      logger,
      metrics: feedMetrics,
    });
    return [feed, follower];
  };
  const feeds = new Map<string, FeedFollower>([
    follow("catalog", applyCatalogFeed, catalogKinds),
    follow("pricing", applyPricingFeed, ["price", "giveaway"]),
    follow("reviews", applyReviewsFeed, ["review"]),
    follow("changelog", applyChangelogFeed, ["entry"]),
  ]);
  if (outbox !== undefined) feeds.set(outboxName, outbox);
  const stopping = new AbortController();
  let starting: Promise<void> | undefined;
  return {
    services: routes({
      database: serviceDatabase,
      queries,
      watches: new QueryWatches(watching, () => watchLoop.wake()),
      queryEvents,
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
        database: serviceDatabase,
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
        // Other processes take it for dead after a while.
        logger.warn({ err }, "this process cannot be removed from the replicas");
      });
      await engine.close();
    },
  };
}
