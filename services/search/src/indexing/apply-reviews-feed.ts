import { ReviewSchema } from "@storefront/contracts/reviews/v1/review";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Transaction } from "@storefront/database";
import type { Logger } from "@storefront/process";
import type { SearchEngine } from "../engine/search-engine.ts";
import { renewPriors, storeRatings } from "../store/rating-store.ts";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import type { IndexChanges } from "./index-changes.ts";
import { indexFeed } from "./index-writer.ts";
import { latestRecords, present } from "./latest-records.ts";

/** Stores review ratings; returns the offers to reindex. */
export async function applyReviewsFeed(
  tx: Transaction,
  entries: readonly FeedEntry[],
): Promise<IndexChanges> {
  const latest = latestRecords(entries, "review", ReviewSchema);
  const rated = present(latest).flatMap(({ id, offerId, rating = 0 }) =>
    offerId === undefined || rating <= 0 ? [] : [{ id, offerId, rating }],
  );
  const ratedIds = new Set(rated.map(({ id }) => id));
  const removed = [...latest.keys()].filter((id) => !ratedIds.has(id));
  return { offers: await storeRatings(tx, rated, removed) };
}

const retryMs = 60_000;

/** Reindexes offers whose rating rank was computed with an outdated mean of all ratings. */
export function createRatingLoop(
  database: Database,
  engine: SearchEngine,
  { logger, onRenewed }: { logger: Logger; onRenewed: () => void },
): BackgroundLoop {
  return new BackgroundLoop(database.polling, async (signal) => {
    try {
      let renewed: readonly string[] = [];
      const renew = indexFeed(async (tx) => {
        renewed = await renewPriors(tx);
        return { offers: renewed };
      }, engine);
      await database.transaction((tx) => renew(tx, []));
      if (renewed.length === 0) return { ms: idleMs, isIdle: true };
      onRenewed();
      return { ms: 0, isIdle: false };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "rating ranks cannot be updated now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
