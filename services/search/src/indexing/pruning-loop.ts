import type { Database } from "@storefront/database";
import type { Logger } from "@storefront/telemetry";
import type { SavedQueryStore } from "../store/saved-query-store.ts";
import { BackgroundLoop } from "./background-loop.ts";

/** Queries expire by days; an idle database is left alone for longer. */
const pauseMs = 6 * 3_600_000;
const retryMs = 60_000;

/** Deletes saved queries that have expired. Replicas may do so at once. */
export function createPruningLoop(
  queries: SavedQueryStore,
  { polling }: Database,
  logger: Logger,
): BackgroundLoop {
  return new BackgroundLoop(polling, async (signal) => {
    try {
      const isMore = await queries.prune();
      return isMore ? { ms: 0, isIdle: false } : { ms: pauseMs, isIdle: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "expired saved queries cannot be deleted now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
