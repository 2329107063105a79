import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { lockWriters } from "@storefront/database";
import type { Database, Transaction } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";
import type { Embedder } from "../embedder/embedder.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { listEntryIds } from "../store/entry-store.ts";
import {
  addGeneration,
  listAbandoned,
  listGenerations,
  markLive,
  nextGeneration,
  removeGeneration,
  touchGeneration,
} from "../store/generation-store.ts";
import { listOfferIds } from "../store/source-offer-store.ts";
import { storeTraining } from "../store/training-store.ts";
import type { Training } from "../store/training-store.ts";
import { fillVectors } from "./fill-vectors.ts";
import { readDocuments } from "./index-changes.ts";
import type { IndexChanges } from "./index-changes.ts";
import { train } from "./train.ts";

/** Offers, or entries, in one transaction of a build: short enough that the feeds hardly wait. */
const chunkSize = 500;

/** How far a reindex is. */
export interface ReindexProgress {
  readonly phase: "building" | "catchingUp" | "done";
  /** Offers and entries in the new generation. */
  readonly indexedCount: number;
}

/** What generations are built with. */
export interface ReindexDependencies {
  readonly database: Database;
  readonly engine: SearchEngine;
  /** What a generation must be like: engine, format and embedding model. */
  readonly signature: string;
  /** Undefined when nothing is embedded. */
  readonly embedder: Embedder | undefined;
}

/**
 * Builds a new generation beside the live one and puts it in its place. From its first moment on it
 * takes every write of the feeds, so what is copied is never older than what is there. When it fails
 * or is abandoned, the live one stays as it was.
 *
 * @throws ServiceError ABORTED when another one is under way.
 */
export async function* reindex(
  deps: ReindexDependencies,
  signal?: AbortSignal,
): AsyncGenerator<ReindexProgress> {
  const { database, engine, embedder } = deps;
  const training = await train(embedder, database, signal);
  const generation = await beginGeneration(deps, training);
  let indexedCount = 0;
  try {
    yield { phase: "building", indexedCount };
    for await (const count of copyAll(deps, generation, signal)) {
      indexedCount += count;
      yield { phase: "building", indexedCount };
    }
    if (embedder !== undefined) {
      await fillVectors(
        { database, engine, embedder },
        { generation, trained: training?.trained, signal },
      );
    }
    await engine.finishBuilding(generation);
    yield { phase: "catchingUp", indexedCount };
    await database.transaction(async (tx) => {
      await lockWriters(tx, "search");
      if (!(await touchGeneration(tx, generation))) throw takenOver();
    });
    await engine.activate(generation);
  } catch (error) {
    await removeGeneration(database, generation);
    await engine.dropGeneration(generation);
    throw error;
  }
  await retireOthers(deps, generation);
  yield { phase: "done", indexedCount };
}

/** Generations that the engine does not answer from go; the one it does is marked so. */
export async function retireOthers(
  { database, engine }: Pick<ReindexDependencies, "database" | "engine">,
  live: number,
): Promise<void> {
  const others = await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    const generations = await listGenerations(tx);
    await markLive(tx, live);
    const retired = generations.filter(({ number }) => number !== live);
    for (const { number } of retired) await removeGeneration(tx, number);
    return retired;
  });
  for (const { number } of others) await engine.dropGeneration(number);
}

/** Drops what reindexes left that ended without an end. */
export async function dropAbandoned({
  database,
  engine,
}: Pick<ReindexDependencies, "database" | "engine">): Promise<void> {
  for (const abandoned of await listAbandoned(database)) {
    if (abandoned === (await engine.liveGeneration())) continue;
    await removeGeneration(database, abandoned);
    await engine.dropGeneration(abandoned);
  }
}

async function beginGeneration(
  deps: ReindexDependencies,
  training: Training | undefined,
): Promise<number> {
  const { database, engine, signature, embedder } = deps;
  await dropAbandoned(deps);
  const number = await database.transaction(nextGeneration);
  await engine.createGeneration(number, { dimensions: embedder?.dimensions });
  const isAlone = await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    const generations = await listGenerations(tx);
    if (generations.some(({ isLive }) => !isLive)) return false;
    await addGeneration(tx, { number, signature });
    if (training !== undefined) await storeTraining(tx, number, training);
    return true;
  });
  if (isAlone) return number;
  await engine.dropGeneration(number);
  throw takenOver();
}

async function* copyAll(
  deps: ReindexDependencies,
  generation: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<number> {
  const { database } = deps;
  for (const { list, changesOf } of copied) {
    for (let after = ""; ;) {
      signal?.throwIfAborted();
      const ids = await list(database, after, chunkSize);
      if (ids.length === 0) break;
      await database.transaction((tx) => copyChunk(tx, deps, generation, changesOf(ids)));
      yield ids.length;
      after = ids.at(-1) ?? after;
    }
  }
}

/** In turn with the feeds: what is read is written before anything newer. */
async function copyChunk(
  tx: Transaction,
  { engine }: ReindexDependencies,
  generation: number,
  changes: IndexChanges,
): Promise<void> {
  await lockWriters(tx, "search");
  if (!(await touchGeneration(tx, generation))) throw takenOver();
  await engine.write(tx, generation, await readDocuments(tx, changes));
}

const copied: readonly {
  readonly list: typeof listOfferIds;
  readonly changesOf: (ids: readonly string[]) => IndexChanges;
}[] = [
  { list: listOfferIds, changesOf: (ids) => ({ offers: ids, prices: ids }) },
  { list: listEntryIds, changesOf: (ids) => ({ entries: ids }) },
];

function takenOver(): ServiceError {
  return new ServiceError({
    code: Code.Aborted,
    reason: ErrorReason.UNSPECIFIED,
    message: "another reindex is under way",
  });
}
