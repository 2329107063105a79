import { lockWriters } from "@storefront/database";
import type { Transaction } from "@storefront/database";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { IndexWrites } from "../engine/index-documents.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { queueRetold } from "../store/embedding-queue.ts";
import { listGenerations } from "../store/generation-store.ts";
import { noteTexts } from "../store/text-digest-store.ts";
import { readDocuments } from "./index-changes.ts";
import type { IndexChanges } from "./index-changes.ts";
import { readOfferTexts } from "./offer-texts.ts";

/** Stores entries of a feed and tells what must be indexed anew. */
export type ApplyFeed = (tx: Transaction, entries: readonly FeedEntry[]) => Promise<IndexChanges>;

/**
 * What a follower does with entries: stores them, then writes what changed to every generation. The
 * feeds and a reindex take turns, so that generations see writes in one order.
 *
 * @param embeds whether offers have vectors, which become stale with the text.
 */
export function indexFeed(
  apply: ApplyFeed,
  deps: { engine: SearchEngine; embeds: boolean },
): (tx: Transaction, entries: readonly FeedEntry[]) => Promise<void> {
  return async (tx, entries) => {
    await lockWriters(tx, "search");
    const writes = await readDocuments(tx, await apply(tx, entries));
    const removedVectors = await queueStale(tx, writes, deps.embeds);
    for (const { number } of await listGenerations(tx)) {
      await deps.engine.write(tx, number, { ...writes, removedVectors });
    }
  };
}

/** Offers whose vectors are stale. Texts are remembered also by who does not embed, for who does later. */
async function queueStale(
  tx: Transaction,
  { offers = [], removedOffers = [] }: IndexWrites,
  embeds: boolean,
): Promise<string[]> {
  const texts = await readOfferTexts(
    tx,
    offers.map(({ offerId }) => offerId),
  );
  const retold = await noteTexts(tx, texts);
  if (!embeds) return [];
  await queueRetold(tx, retold, removedOffers);
  return [...retold, ...removedOffers];
}
