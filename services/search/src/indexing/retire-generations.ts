import { forgetOrphans } from "../store/embedding-queue.ts";
import {
  listGenerations,
  listRetired,
  markLive,
  removeGeneration,
  retireAbandoned,
} from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { endReindexOf } from "../store/reindex-job-store.ts";
import type { EmbeddingDependencies } from "./queue-embedder.ts";

type GenerationDependencies = Pick<EmbeddingDependencies, "database" | "engine">;

/** Records the engine's live generation, and drops earlier ones. */
export async function retireOthers(deps: GenerationDependencies, live: number): Promise<void> {
  await inWritersTurn(deps.database, async (tx) => {
    await markLive(tx, live);
    await endReindexOf(tx, live);
  });
  await dropRetired(deps);
}

/**
 * Cleans up after interrupted reindexes: drops their generations, unless one is already live.
 *
 * @returns whether no generation is being built
 */
export async function sweepGenerations(deps: GenerationDependencies): Promise<boolean> {
  const { database, engine } = deps;
  const live = await engine.liveGeneration();
  const built = (await listGenerations(database)).find(({ number }) => number === live);
  if (built !== undefined && !built.isLive && !built.isTouched) {
    await retireOthers(deps, built.number);
  }
  await inWritersTurn(database, async (tx) => {
    await retireAbandoned(tx, live);
  });
  await dropRetired(deps);
  return (await listGenerations(database)).every(({ isLive }) => isLive);
}

/** Drops retired generations. */
export async function dropRetired({ database, engine }: GenerationDependencies): Promise<void> {
  for (const number of await listRetired(database)) {
    await engine.dropGeneration(number);
    await removeGeneration(database, number);
  }
  await forgetOrphans(database);
}
