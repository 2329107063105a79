import { lockWriters } from "@storefront/database";
import type { Database } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";
import type { Embedder, OfferText } from "../embedder/embedder.ts";
import type { OfferVector } from "../engine/index-documents.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { queueOffers } from "../store/embedding-queue.ts";
import { touchGeneration } from "../store/generation-store.ts";
import { embedOffers } from "./embed-offers.ts";
import { offerIdPages, readOfferTexts } from "./offer-texts.ts";

/**
 * Gives a generation that is being built, and takes the feeds' writes already, the vectors of all
 * offers. When the embedder fails, the rest is queued: an index without some vectors is better than
 * none.
 */
export async function fillVectors(
  deps: { database: Database; engine: SearchEngine; embedder: Embedder },
  {
    generation,
    trained,
    signal,
  }: { generation: number; trained: Uint8Array | undefined; signal: AbortSignal | undefined },
): Promise<void> {
  const { database, embedder } = deps;
  let hasFailed = false;
  for await (const ids of offerIdPages(database)) {
    signal?.throwIfAborted();
    const texts = await readOfferTexts(database, ids);
    const embedded = hasFailed
      ? undefined
      : await embedOffers(embedder, texts, { trained, signal }).catch(refused);
    if (embedded === undefined) {
      hasFailed = true;
      await database.transaction(async (tx) => {
        await touchGeneration(tx, generation);
        await queueOffers(
          tx,
          texts.map(({ offerId }) => offerId),
        );
      });
    } else {
      await writeUnchanged(deps, generation, texts, embedded);
    }
  }
}

/** Offers that changed since their text was read are in the queue, or have their vector already. */
async function writeUnchanged(
  { database, engine }: { database: Database; engine: SearchEngine },
  generation: number,
  texts: readonly OfferText[],
  embedded: readonly OfferVector[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    await touchGeneration(tx, generation);
    const ids = texts.map(({ offerId }) => offerId);
    const present = new Set((await readOfferTexts(tx, ids)).map((text) => JSON.stringify(text)));
    const unchanged = new Set(
      texts.filter((text) => present.has(JSON.stringify(text))).map(({ offerId }) => offerId),
    );
    const vectors = embedded.filter(({ offerId }) => unchanged.has(offerId));
    await engine.write(tx, generation, { vectors });
  });
}

function refused(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined;
  throw error;
}
