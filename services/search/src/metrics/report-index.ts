import { cachedWhileIdle } from "@storefront/database";
import type { Database } from "@storefront/database";
import { reportGauge, sampled } from "@storefront/process";
import type { Metrics } from "@storefront/process";
import type { SearchEngine } from "../engine/search-engine.ts";
import { oldestClaimAgeSeconds } from "../store/embedding-claims.ts";
import { countQueued } from "../store/embedding-queue.ts";
import { listGenerations } from "../store/generation-store.ts";
import { lastReindex } from "../store/reindex-job-store.ts";

/** Reports the state of the index. One per registry. */
export function reportIndex(metrics: Metrics, database: Database, engine: SearchEngine): void {
  const gauge = (name: string, help: string, read: () => Promise<number>) => {
    const value = sampled(cachedWhileIdle(database.polling, read));
    reportGauge(metrics, { name, help }, async () => {
      const known = await value();
      return known === undefined ? [] : [[{}, known]];
    });
  };
  gauge(
    "search_index_generation",
    "Number of the generation of the index that answers; 0 while there is none.",
    async () => (await engine.liveGeneration()) ?? 0,
  );
  gauge(
    "search_index_generations_building",
    "Generations of the index that are being built.",
    async () => (await listGenerations(database)).filter(({ isLive }) => !isLive).length,
  );
  const currentJob = async () => {
    const job = await lastReindex(database);
    return job?.endedAt === undefined ? job : undefined;
  };
  gauge(
    "search_reindex_documents",
    "Offers and entries that the reindex under way is to write; 0 while there is none.",
    async () => (await currentJob())?.total ?? 0,
  );
  gauge(
    "search_reindex_written_documents",
    "Offers and entries that the reindex under way has written; 0 while there is none.",
    async () => (await currentJob())?.written ?? 0,
  );
  gauge(
    "search_reindex_silence_seconds",
    "Time since the reindex under way last came forward; 0 while there is none.",
    async () => {
      const job = await currentJob();
      return job === undefined ? 0 : Math.max(0, Date.now() - job.progressedAt.getTime()) / 1_000;
    },
  );
  gauge(
    "search_embedding_queue_offers",
    "Offers whose text has changed and that wait for new vectors.",
    () => countQueued(database),
  );
  gauge(
    "search_embedding_oldest_claim_age_seconds",
    "Age of the oldest claim of texts that are being embedded; 0 while there is none.",
    () => oldestClaimAgeSeconds(database),
  );
}
