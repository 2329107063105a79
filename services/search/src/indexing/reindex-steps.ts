import type { Database, Transaction } from "@storefront/database";
import { setTimeout as sleep } from "node:timers/promises";
import { modelOf } from "../domain/index-signature.ts";
import { untrainedSpace } from "../engine/index-documents.ts";
import { listEntryIds } from "../store/entry-store.ts";
import {
  addGeneration,
  listGenerations,
  nextGeneration,
  touchGeneration,
} from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { addToOutbox, clearOutbox, firstWaiting } from "../store/outbox-store.ts";
import { advanceReindex, countDocuments } from "../store/reindex-job-store.ts";
import type { ReindexJob, ReindexProgress, ReindexStep } from "../store/reindex-job-store.ts";
import { listOfferIds, markTexts } from "../store/source-offer-store.ts";
import { storeTraining } from "../store/training-store.ts";
import { embedWaiting, queueVectors, takenOver } from "./fill-vectors.ts";
import type { NewTarget } from "./fill-vectors.ts";
import { readDocuments } from "./index-changes.ts";
import type { IndexChanges } from "./index-changes.ts";
import type { IndexConfiguration } from "./index-configuration.ts";
import type { EmbeddingDependencies } from "./queue-embedder.ts";
import { outboxKeys } from "./outbox-documents.ts";
import { train } from "./offer-texts.ts";
import { retireOthers } from "./retire-generations.ts";

export interface ReindexDependencies extends EmbeddingDependencies {
  /** Identifies this process: host, process id and a random part. */
  readonly holder: string;
  /** Whether the generation may serve once it is built. */
  readonly configuration: Pick<IndexConfiguration, "signature" | "refresh" | "mayBuild" | "claim">;
}

/** Runs a step of a reindex from its stored progress, and stores the progress with each write. */
type Step = (deps: ReindexDependencies, job: ReindexJob, signal: AbortSignal) => Promise<void>;

/** Offers or entries per transaction: short enough for the feeds. */
const chunkSize = 500;

/** Interval of checks for unsent entries, in milliseconds. */
const sendingCheckMs = 100;

const begin: Step = async (deps, job, signal) => {
  const { database, engine } = deps;
  const { signature } = job;
  const embedder = modelOf(signature) === undefined ? undefined : deps.embedder;
  const training = await train(embedder, database, signal);
  const total = await database.transaction(countDocuments, { isUnlimited: true });
  const live = await engine.liveGeneration();
  const generation = await database.transaction((tx) => nextGeneration(tx, live));
  await engine.createGeneration(generation, { dimensions: embedder?.dimensions });
  await inWritersTurn(database, async (tx) => {
    await addGeneration(tx, { number: generation, signature });
    const textsMoment = await markTexts(tx);
    if (training !== undefined) await storeTraining(tx, generation, training);
    await advance(tx, deps, job, { phase: "offers", generation, textsMoment, total });
  });
};

/** Copies sources chunk by chunk, in turn with the feeds, so that older data is written before newer. */
function copy(
  list: typeof listOfferIds,
  changesOf: (ids: readonly string[]) => IndexChanges,
  next: ReindexStep,
): Step {
  return async (deps, job, signal) => {
    const { database, engine } = deps;
    const generation = generationOf(job);
    // A smaller chunk may succeed.
    const limit = Math.ceil(chunkSize / 4 ** Math.max(job.attempts - 1, 0));
    for (let { after } = job; ;) {
      signal.throwIfAborted();
      const ids = await list(database, after, limit);
      const last = ids.at(-1);
      if (last === undefined) return await advance(database, deps, job, { phase: next });
      await inWritersTurn(database, async (tx) => {
        await advance(tx, deps, job, { after: last, written: ids.length });
        if (!(await touchGeneration(tx, generation))) throw takenOver();
        const changes = changesOf(ids);
        if (!engine.isInDatabase) return await addToOutbox(tx, outboxKeys(changes), generation);
        await engine.write(tx, generation, await readDocuments(tx, changes));
      });
      deps.wake();
      after = last;
    }
  };
}

const queue: Step = async (deps, job, signal) => {
  const { database } = deps;
  if (modelOf(job.signature) === undefined) {
    return await advance(database, deps, job, { phase: "finishing" });
  }
  await queueVectors(deps, await targetOf(deps, job), signal, {
    after: job.after,
    onQueued: (tx, after) => advance(tx, deps, job, { after }),
  });
  await advance(database, deps, job, { phase: "embedding" });
};

const embed: Step = async (deps, job, signal) => {
  const target = await targetOf(deps, job);
  await embedWaiting(deps, target, signal, () => advance(deps.database, deps, job, {}));
  await deps.engine.indexVectors(target.generation, target.space.set, signal);
  await advance(deps.database, deps, job, { phase: "finishing" });
};

const finish: Step = async (deps, job, signal) => {
  const { database, engine, configuration } = deps;
  const generation = generationOf(job);
  await untilSent(deps, job, signal);
  await engine.finishBuilding(generation, signal);
  await inWritersTurn(database, async (tx) => {
    await advance(tx, deps, job, { phase: "activating" });
    if (!(await touchGeneration(tx, generation))) throw takenOver();
    // Another index may have been requested meanwhile.
    if (!(await configuration.mayBuild(tx))) throw takenOver();
  });
};

/** Waits until an external engine has received the copy. */
async function untilSent(
  deps: ReindexDependencies,
  job: ReindexJob,
  signal: AbortSignal,
): Promise<void> {
  const { database } = deps;
  for (let before: bigint | undefined; ;) {
    const first = await firstWaiting(database, generationOf(job));
    if (first === undefined) return;
    if (first !== before) await advance(database, deps, job, {});
    before = first;
    await sleep(sendingCheckMs, undefined, { signal });
  }
}

/**
 * Activates the generation. In the database, one transaction also checks the job's lease. An external engine follows
 * that check and must respond before the lease ends, or a slow process could activate a generation that another one has
 * replaced.
 */
const activate: Step = async (deps, job) => {
  const { database, engine } = deps;
  const generation = generationOf(job);
  if (engine.isInDatabase) {
    await inWritersTurn(database, async (tx) => {
      await advance(tx, deps, job, {});
      await engine.activate(tx, generation);
      await clearOutbox(tx);
    });
  } else {
    // Renews the lease, for longer than the requests of an activation may take.
    await advance(database, deps, job, {});
    await engine.activate(undefined, generation);
  }
  await engine.liveGeneration();
  await retireOthers(deps, generation);
  deps.wake();
};

/**
 * The steps of a reindex. A new generation receives all writes of the feeds, so the copy is never older than its
 * content. Each step throws ServiceError ABORTED when another process has taken over.
 */
export const reindexSteps: Readonly<Record<ReindexStep, Step>> = {
  learning: begin,
  offers: copy(
    listOfferIds,
    (ids) => ({ offers: ids, prices: ids.map((offerId) => ({ offerId })) }),
    "entries",
  ),
  entries: copy(listEntryIds, (ids) => ({ entries: ids }), "queueing"),
  queueing: queue,
  embedding: embed,
  finishing: finish,
  activating: activate,
};

async function advance(
  queryable: Database | Transaction,
  { holder }: ReindexDependencies,
  { number }: ReindexJob,
  progress: ReindexProgress,
): Promise<void> {
  if (!(await advanceReindex(queryable, { number, holder }, progress))) throw takenOver();
}

function generationOf({ generation }: ReindexJob): number {
  if (generation === undefined) throw new Error("a generation is made before it is filled");
  return generation;
}

async function targetOf({ database }: ReindexDependencies, job: ReindexJob): Promise<NewTarget> {
  const generation = generationOf(job);
  const built = (await listGenerations(database)).find(({ number }) => number === generation);
  if (built === undefined) throw takenOver();
  return { generation, space: { ...untrainedSpace, ...built.space }, since: job.textsMoment };
}
