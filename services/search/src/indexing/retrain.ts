import { lockWriters } from "@storefront/database";
import type { Queryable } from "@storefront/database";
import { clearQueue } from "../store/embedding-queue.ts";
import { listGenerations } from "../store/generation-store.ts";
import type { Generation } from "../store/generation-store.ts";
import { countOffers } from "../store/source-offer-store.ts";
import { storeTraining } from "../store/training-store.ts";
import { embedOffers } from "./embed-offers.ts";
import type { EmbeddingDependencies } from "./embed-queued.ts";
import { offerIdPages, readOfferTexts } from "./offer-texts.ts";
import { train } from "./train.ts";

/** A catalogue that has grown by half since the embedder learned from it has more to tell. */
const growth = 1.5;

/**
 * The generation whose embedder should learn anew, with how many offers there are. None while a
 * new generation is being built, which brings its own training.
 */
export async function findOutgrown(
  deps: EmbeddingDependencies,
): Promise<{ generation: Generation; offers: number } | undefined> {
  if (deps.embedder.train === undefined) return undefined;
  const generation = await onlyGeneration(deps.database, deps.signature);
  if (generation === undefined) return undefined;
  const offers = await countOffers(deps.database);
  return offers > generation.trainedOffers * growth ? { generation, offers } : undefined;
}

/**
 * Lets the embedder learn from the catalogue as it is now and makes every vector of the live
 * generation anew, in one transaction: queries and vectors change over together.
 */
export async function retrain(
  deps: EmbeddingDependencies,
  { number, training }: Generation,
  signal: AbortSignal,
): Promise<void> {
  const { database, engine, embedder, signature } = deps;
  const learned = await train(embedder, database, signal);
  if (learned === undefined) return;
  const { trained } = learned;
  await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    const present = await onlyGeneration(tx, signature);
    if (present?.number !== number || present.training !== training) return;
    for await (const ids of offerIdPages(tx)) {
      const texts = await readOfferTexts(tx, ids);
      const vectors = await embedOffers(embedder, texts, { trained });
      await engine.write(tx, number, { vectors });
    }
    await clearQueue(tx);
    await storeTraining(tx, number, learned);
  });
}

async function onlyGeneration(
  queryable: Queryable,
  signature: string,
): Promise<Generation | undefined> {
  const [generation, ...others] = await listGenerations(queryable);
  if (generation === undefined || others.length > 0) return undefined;
  return generation.isLive && generation.signature === signature ? generation : undefined;
}
