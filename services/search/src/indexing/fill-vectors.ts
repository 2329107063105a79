import { lockWriters } from "@storefront/database";
import type { Database } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";
import type { OfferText } from "../embedder/embedder.ts";
import { queueMissing, queueOffers } from "../store/embedding-queue.ts";
import { touchTraining } from "../store/training-store.ts";
import { makeVectors, ofOffers } from "./make-vectors.ts";
import type { MadeVectors, VectorDependencies, VectorTarget } from "./make-vectors.ts";
import { offerIdPages, readOfferTexts } from "./offer-texts.ts";
import { takenOver } from "./taken-over.ts";

/** Offers in one transaction: short enough that neither feeds nor, on PGlite, readers wait for it. */
const chunkSize = 200;

/**
 * Gives a set of vectors that does not answer yet, and takes the feeds' writes already, those of all
 * offers. When the embedder fails, the rest is queued: an index without some vectors is better than
 * none.
 *
 * @throws ServiceError ABORTED when another process has taken over.
 */
export async function fillVectors(
  deps: VectorDependencies & { readonly database: Database },
  target: VectorTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { database } = deps;
  let hasFailed = false;
  for await (const page of offerIdPages(database)) {
    for (let at = 0; at < page.length; at += chunkSize) {
      signal?.throwIfAborted();
      const texts = await readOfferTexts(database, page.slice(at, at + chunkSize));
      const made: MadeVectors | undefined = hasFailed
        ? undefined
        : await makeVectors(deps, target, texts, signal).catch(refused);
      hasFailed = made === undefined;
      await writeChunk(deps, target, texts, made);
    }
  }
}

async function writeChunk(
  { database, engine, embedder }: VectorDependencies & { readonly database: Database },
  target: VectorTarget,
  texts: readonly OfferText[],
  made: MadeVectors | undefined,
): Promise<void> {
  const { generation, space } = target;
  const ids = texts.map(({ offerId }) => offerId);
  await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    if (!(await touchTraining(tx, generation, space.training))) throw takenOver();
    if (made === undefined) return await queueOffers(tx, ids);
    // Texts that changed since they were read are in the queue, or have their vector already.
    const present = new Set((await readOfferTexts(tx, ids)).map((text) => JSON.stringify(text)));
    const unchanged = texts.filter((text) => present.has(JSON.stringify(text)));
    const unchangedIds = new Set(unchanged.map(({ offerId }) => offerId));
    await engine.write(tx, generation, ofOffers(made, unchangedIds));
    // Which an engine's own vectors of what they were have taken the place of.
    if (embedder === undefined) {
      const changed = texts.filter((text) => !unchangedIds.has(text.offerId));
      await queueMissing(
        tx,
        changed.map(({ offerId }) => offerId),
      );
    }
  });
}

function refused(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined;
  throw error;
}
