import type { Database } from "@storefront/database";
import type { Logger } from "@storefront/telemetry";
import { BackgroundLoop } from "./background-loop.ts";

/** Queries expire by days; an idle database is left alone for longer. */
const pauseMs = 6 * 3_600_000;
const retryMs = 60_000;

/** Something of which a part expires. */
interface Expiring {
  /** Deletes some of what has expired; tells whether there may be more. */
  prune(): Promise<boolean>;
}

/** Deletes what has expired. Replicas may do so at once. */
export function createPruningLoop(
  stores: readonly Expiring[],
  { polling }: Database,
  logger: Logger,
): BackgroundLoop {
  return new BackgroundLoop(polling, async (signal) => {
    try {
      let isMore = false;
      for (const store of stores) if (await store.prune()) isMore = true;
      return isMore ? { ms: 0, isIdle: false } : { ms: pauseMs, isIdle: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "what has expired cannot be deleted now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
