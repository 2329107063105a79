import type { Logger } from "@storefront/process";
import { forgetOrphans } from "../store/embedding-queue.ts";
import { listGenerations } from "../store/generation-store.ts";
import type { Generation } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { countOffers, markTexts } from "../store/source-offer-store.ts";
import { beginRetraining, finishRetraining } from "../store/training-store.ts";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import { fillVectors } from "./fill-vectors.ts";
import { train } from "./offer-texts.ts";
import type { EmbeddingDependencies } from "./queue-embedder.ts";

/**
 * Between looks while offers are written, each of which counts all of them, and at whether a catalogue
 * that has outgrown what is known stands still.
 */
const lookMs = 1_000;
const retryMs = 5_000;
/** A catalogue that never stands still is learned from after so many looks all the same. */
const maxLooks = 60;

/**
 * Lets the embedder learn again when the catalogue has outgrown what it knows and stands still: an
 * import is not learned from half-way. Beside the embedding of what is written, which does not wait.
 */
export function createLearningLoop(deps: EmbeddingDependencies, logger: Logger): BackgroundLoop {
  let looks = 0;
  let offersAtLook = 0;

  /** Whether the catalogue is waited for to stand still. */
  async function look(signal: AbortSignal): Promise<boolean> {
    const outgrown = await findOutgrown(deps);
    if (outgrown === undefined) {
      looks = 0;
      return false;
    }
    const { generation, offers } = outgrown;
    looks += 1;
    const isSettled = looks > 1 && offers === offersAtLook;
    offersAtLook = offers;
    if (!isSettled && looks < maxLooks) return true;
    looks = 0;
    const hasLearned = await retrain(deps, generation, signal);
    if (hasLearned) logger.info({ offers }, "the embedder has learned from the catalogue");
    return false;
  }

  return new BackgroundLoop(deps.database.polling, async (signal, isWoken) => {
    const rest = { ms: lookMs, isIdle: false };
    try {
      return (await look(signal)) || isWoken ? rest : { ms: idleMs, isIdle: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "the embedder cannot learn now");
      return { ms: retryMs, isIdle: false };
    }
  });
}

/** A catalogue that has grown by half since the embedder learned from it has more to tell. */
const growth = 1.5;

/**
 * The generation whose embedder should learn again, with how many offers there are. None while a
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
 * generation again, beside those that serve; then queries and vectors change over together.
 *
 * @returns false when another process was faster.
 * @throws ServiceError ABORTED when another process has taken over.
 */
async function retrain(
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
