import { lockWriters } from "@storefront/database";
import type { Transaction } from "@storefront/database";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { modelOf } from "../domain/index-signature.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { VectorKind } from "../engine/index-documents.ts";
import { queueChanged } from "../store/embedding-queue.ts";
import { listGenerations, vectorKinds } from "../store/generation-store.ts";
import { addToOutbox } from "../store/outbox-store.ts";
import { storeTextDigests } from "../store/source-offer-store.ts";
import { readDocuments } from "./index-changes.ts";
import type { IndexChanges } from "./index-changes.ts";
import { readOfferTexts } from "./offer-texts.ts";
import { outboxKeys } from "./outbox-documents.ts";

/** Stores feed entries; returns what must be reindexed. */
export type ApplyFeed = (tx: Transaction, entries: readonly FeedEntry[]) => Promise<IndexChanges>;

/**
 * Applies feed entries: stores them, then writes the changes to every generation, or to the outbox of an external
 * engine. Feeds and reindexes take turns, so that generations receive writes in one order.
 */
export function indexFeed(
  apply: ApplyFeed,
  engine: SearchEngine,
): (tx: Transaction, entries: readonly FeedEntry[]) => Promise<void> {
  return async (tx, entries) => {
    await lockWriters(tx, "search");
    const changes = await apply(tx, entries);
    const generations = await listGenerations(tx);
    const stale = await queueStale(tx, changes, vectorKinds(generations));
    if (generations.length === 0) return;
    if (!engine.isInDatabase) return await addToOutbox(tx, outboxKeys(changes, stale));
    const writes = await readDocuments(tx, changes);
    for (const { number, signature } of generations) {
      const removedVectors = modelOf(signature) === undefined ? [] : stale;
      await engine.write(tx, number, { ...writes, removedVectors });
    }
  };
}

/** Offers whose vectors are stale. Text digests are stored even without embedding, for a later start of it. */
async function queueStale(
  tx: Transaction,
  { offers = [], removedOffers = [] }: IndexChanges,
  kinds: readonly VectorKind[],
): Promise<string[]> {
  const texts = await readOfferTexts(tx, offers);
  const changed = await storeTextDigests(tx, texts);
  await queueChanged(tx, kinds, { changed, removed: removedOffers });
  return [...changed, ...removedOffers];
}
