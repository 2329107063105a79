import { lockWriters } from "@storefront/database";
import type { Database } from "@storefront/database";
import type { SearchEngine } from "../engine/search-engine.ts";
import { forgetOrphans } from "../store/embedding-queue.ts";
import {
  listGenerations,
  listRetired,
  markLive,
  removeGeneration,
  retireAbandoned,
  retireGeneration,
} from "../store/generation-store.ts";
import { endReindexOf } from "../store/reindex-job-store.ts";

/** Where generations are noted and held. */
export interface GenerationDependencies {
  readonly database: Database;
  readonly engine: SearchEngine;
}

/** Notes the generation that the engine answers from, and drops those before it. */
export async function retireOthers(deps: GenerationDependencies, live: number): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    await markLive(tx, live);
    await endReindexOf(tx, live);
  });
  await dropRetired(deps);
}

/** Takes back a generation that is not to answer. */
export async function giveUp(deps: GenerationDependencies, generation: number): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    await retireGeneration(tx, generation);
  });
  await dropRetired(deps);
}

/**
 * Finishes what reindexes left that ended without an end: drops what they built, unless the engine
 * answers from it already.
 *
 * @returns whether nothing is being built any more.
 */
export async function sweepGenerations(deps: GenerationDependencies): Promise<boolean> {
  const { database, engine } = deps;
  const live = await engine.liveGeneration();
  const built = (await listGenerations(database)).find(({ number }) => number === live);
  if (built !== undefined && !built.isLive && !built.isTouched) {
    await retireOthers(deps, built.number);
  }
  await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    await retireAbandoned(tx, live);
  });
  await dropRetired(deps);
  return (await listGenerations(database)).every(({ isLive }) => isLive);
}

async function dropRetired({ database, engine }: GenerationDependencies): Promise<void> {
  for (const number of await listRetired(database)) {
    await engine.dropGeneration(number);
    await removeGeneration(database, number);
  }
  await forgetOrphans(database);
}
