import { lockWriters } from "@storefront/database";
import type { Queryable } from "@storefront/database";
import type { Embedder } from "../embedder/embedder.ts";
import { untrainedSpace } from "../engine/vector-space.ts";
import {
  addGeneration,
  listGenerations,
  nextGeneration,
  touchGeneration,
} from "../store/generation-store.ts";
import type { Generation } from "../store/generation-store.ts";
import { markTexts } from "../store/text-digest-store.ts";
import { storeTraining } from "../store/training-store.ts";
import type { Training, TrainingStore } from "../store/training-store.ts";
import { copyDocuments } from "./copy-documents.ts";
import type { IndexConfiguration } from "./index-configuration.ts";
import { fillVectors } from "./fill-vectors.ts";
import type { NewTarget } from "./fill-vectors.ts";
import { giveUp, retireOthers, sweepGenerations } from "./retire-generations.ts";
import type { GenerationDependencies } from "./retire-generations.ts";
import { takenOver } from "./taken-over.ts";
import { train } from "./train.ts";

/** How far a reindex is. */
export interface ReindexProgress {
  readonly phase: "building" | "catchingUp" | "done";
  /** Offers and entries in the new generation. */
  readonly indexedCount: number;
}

/** What generations are built with. */
export interface ReindexDependencies extends GenerationDependencies {
  /** What a generation must be like: engine, format and embedding model. */
  readonly signature: string;
  /** Undefined when nothing is embedded, or the engine embeds by itself. */
  readonly embedder: Embedder | undefined;
  readonly trainings: TrainingStore;
  /** Told when it answers: what the embedder could not do is left. */
  readonly wake: () => void;
  /** Whether the generation may answer once it is built. */
  readonly configuration: Pick<IndexConfiguration, "refresh" | "mayBuild" | "claim">;
}

/**
 * Builds a new generation beside the live one and puts it in its place. From its first moment on it
 * takes every write of the feeds, so what is copied is never older than what is there. When it fails
 * or is abandoned, the live one stays as it was.
 *
 * @param known the generations by which it was found to be needed; default those of now.
 * @throws ServiceError ABORTED when another one is under way, or has ended since.
 */
export async function* reindex(
  deps: ReindexDependencies,
  signal?: AbortSignal,
  known?: readonly Generation[],
): AsyncGenerator<ReindexProgress> {
  const { database, engine } = deps;
  await sweepGenerations(deps);
  const live = new Set((known ?? (await listGenerations(database))).filter(isLive).map(numberOf));
  // Before the training, which is long and for nothing then.
  if (await isTakenOver(database, live)) throw takenOver();
  const training = await train(deps.embedder, database, signal);
  const target = await beginGeneration(deps, training, live);
  const { generation } = target;
  let isBuilt = false;
  let indexedCount = 0;
  try {
    yield { phase: "building", indexedCount };
    for await (const count of copyDocuments(deps, generation, signal)) {
      indexedCount += count;
      yield { phase: "building", indexedCount };
    }
    if (deps.embedder !== undefined || engine.ownEmbedding !== undefined) {
      await fillVectors(deps, target, signal);
    }
    await engine.finishBuilding(generation);
    yield { phase: "catchingUp", indexedCount };
    await database.transaction(async (tx) => {
      await lockWriters(tx, "search");
      if (!(await touchGeneration(tx, generation))) throw takenOver();
      // Another one may have been asked for meanwhile.
      if (!(await deps.configuration.mayBuild(tx))) throw takenOver();
    });
    isBuilt = true;
  } finally {
    // Also when nobody asks for more progress. What cannot be undone now is swept up later.
    if (!isBuilt) await giveUp(deps, generation).catch(() => undefined);
  }
  // When this fails nobody knows whether it has happened: a sweep will see which one answers.
  await engine.activate(generation);
  await retireOthers(deps, generation);
  deps.wake();
  yield { phase: "done", indexedCount };
}

const isLive = (generation: Generation) => generation.isLive;
const numberOf = ({ number }: Generation) => number;

/** Whether another process builds a generation, or has put one in the place of those that were live. */
async function isTakenOver(queryable: Queryable, live: ReadonlySet<number>): Promise<boolean> {
  const generations = await listGenerations(queryable);
  return generations.some((each) => !each.isLive || !live.has(each.number));
}

async function beginGeneration(
  deps: ReindexDependencies,
  training: Training | undefined,
  live: ReadonlySet<number>,
): Promise<NewTarget> {
  const { database, engine, signature, embedder } = deps;
  const answering = await engine.liveGeneration();
  const number = await database.transaction((tx) => nextGeneration(tx, answering));
  await engine.createGeneration(number, { dimensions: embedder?.dimensions });
  const target = await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    if (await isTakenOver(tx, live)) return undefined;
    await addGeneration(tx, { number, signature });
    const since = await markTexts(tx);
    if (training === undefined) return { generation: number, space: untrainedSpace, since };
    const trained = await storeTraining(tx, number, training);
    return { generation: number, space: { ...untrainedSpace, training: trained }, since };
  });
  if (target !== undefined) return target;
  await engine.dropGeneration(number);
  throw takenOver();
}
