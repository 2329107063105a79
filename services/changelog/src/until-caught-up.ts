import { createClient } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { Database } from "@storefront/database";
import { unavailable } from "@storefront/rpc";
import { setTimeout } from "node:timers/promises";

/** A catalog that is quiet is known to be so after a heartbeat, which comes every few seconds. */
const longestWaitMs = 60_000;
const pollIntervalMs = 100;

const readCursor = {
  name: "changelog.readCatalogCursor",
  text: "select sequence from changelog.feed_cursor where feed = 'catalog'",
};

/**
 * Resolves when everything is stored that the catalog has logged up to now, by whatever replica.
 *
 * @throws ServiceError UNAVAILABLE when the catalog cannot be asked, or it takes longer than a minute.
 */
export async function untilCaughtUp(
  { database, catalog }: { database: Database; catalog: Transport },
  signal: AbortSignal,
): Promise<void> {
  const wanted = await newestSequence(catalog, signal);
  const endsAtMs = performance.now() + longestWaitMs;
  for (;;) {
    const row = await database.readOne<{ sequence: bigint }>(readCursor);
    if ((row?.sequence ?? 0n) >= wanted) return;
    if (performance.now() > endsAtMs) {
      throw unavailable("catalog", new Error(`applied up to ${row?.sequence}, not ${wanted}`));
    }
    await setTimeout(pollIntervalMs, undefined, { signal });
  }
}

async function newestSequence(catalog: Transport, signal: AbortSignal): Promise<bigint> {
  const client = createClient(FeedService, catalog);
  const enough = new AbortController();
  try {
    const messages = client.watchChanges(
      { fromNow: true },
      { signal: AbortSignal.any([signal, enough.signal]) },
    );
    for await (const { newestSequence: newest } of messages) return newest;
  } catch (error) {
    throw unavailable("catalog", error);
  } finally {
    enough.abort();
  }
  throw unavailable("catalog", new Error("the stream of its log ended at once"));
}
