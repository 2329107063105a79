import { forgetOrphans } from "../store/embedding-queue.ts";
import { listGenerations } from "../store/generation-store.ts";
import type { Generation } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { countOffers } from "../store/source-offer-store.ts";
import { markTexts } from "../store/text-digest-store.ts";
import { beginRetraining, finishRetraining } from "../store/training-store.ts";
import { fillVectors } from "./fill-vectors.ts";
import { train } from "./offer-texts.ts";
import type { EmbeddingDependencies } from "./queue-embedder.ts";

/** A catalogue that has grown by half since the embedder learned from it has more to tell. */
const growth = 1.5;

/**
 * The generation whose embedder should learn anew, with how many offers there are. None while a
 * new generation is being built, which brings its own training, or another process is at it.
 */
export async function findOutgrown({
  database,
  embedder,
  signature,
}: EmbeddingDependencies): Promise<{ generation: Generation; offers: number } | undefined> {
  if (embedder?.train === undefined) return undefined;
  const [generation, ...others] = await listGenerations(database);
  if (generation === undefined || others.length > 0) return undefined;
  if (!generation.isLive || generation.signature !== signature) return undefined;
  if (generation.nextSpace !== undefined && generation.isTouched) return undefined;
  const offers = await countOffers(database);
  return offers > generation.trainedOffers * growth ? { generation, offers } : undefined;
}

/**
 * Lets the embedder learn from the catalogue as it is now and makes every vector of the live
 * generation anew, beside those that answer; then queries and vectors change over together.
 *
 * @returns false when another process was faster.
 * @throws ServiceError ABORTED when another process has taken over.
 */
export async function retrain(
  deps: EmbeddingDependencies,
  { number }: Generation,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, embedder } = deps;
  const learned = await train(embedder, database, signal);
  if (learned === undefined) return false;
  const target = await inWritersTurn(database, async (tx) => {
    const next = await beginRetraining(tx, number, learned);
    return next && { generation: number, space: next, since: await markTexts(tx) };
  });
  if (target === undefined) return false;
  const { space } = target;
  await fillVectors(deps, target, signal);
  const isFinished = await inWritersTurn(database, async (tx) => {
    return await finishRetraining(tx, number, space);
  });
  await forgetOrphans(database);
  return isFinished;
}
