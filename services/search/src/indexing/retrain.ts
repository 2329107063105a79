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

/** Interval of checks whether an outgrown catalogue has settled; each counts all offers. */
const checkMs = 1_000;
const retryMs = 5_000;
/** A catalogue that never settles is used for training after this many checks. */
const maxChecks = 60;

/**
 * Retrains the embedder when the catalogue has outgrown its training and settled, so not in the middle of an import.
 * Runs beside the embedding of new writes.
 */
export function createRetrainingLoop(deps: EmbeddingDependencies, logger: Logger): BackgroundLoop {
  let checks = 0;
  let offersAtCheck = 0;

  /** Whether the catalogue has not settled yet. */
  async function check(signal: AbortSignal): Promise<boolean> {
    const outgrown = await findOutgrown(deps);
    if (outgrown === undefined) {
      checks = 0;
      return false;
    }
    const { generation, offers } = outgrown;
    checks += 1;
    const isSettled = checks > 1 && offers === offersAtCheck;
    offersAtCheck = offers;
    if (!isSettled && checks < maxChecks) return true;
    checks = 0;
    const isRetrained = await retrain(deps, generation, signal);
    if (isRetrained) logger.info({ offers }, "the embedder was retrained");
    return false;
  }

  return new BackgroundLoop(deps.database.polling, async (signal, isWoken) => {
    const rest = { ms: checkMs, isIdle: false };
    try {
      return (await check(signal)) || isWoken ? rest : { ms: idleMs, isIdle: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "the embedder cannot be retrained now");
      return { ms: retryMs, isIdle: false };
    }
  });
}

/** Growth of the catalogue since the last training that justifies another. */
const growth = 1.5;

/**
 * The generation whose embedder should be retrained, and the number of offers. Undefined while a new generation is
 * being built, which has its own training, or another process retrains.
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
 * Trains the embedder on the present catalogue and makes all vectors of the live generation beside the present ones;
 * then queries and vectors switch together.
 *
 * @returns false when another process was faster
 * @throws ServiceError ABORTED when another process has taken over.
 */
async function retrain(
  deps: EmbeddingDependencies,
  { number }: Generation,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, embedder } = deps;
  const training = await train(embedder, database, signal);
  if (training === undefined) return false;
  const target = await inWritersTurn(database, async (tx) => {
    const next = await beginRetraining(tx, number, training);
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
