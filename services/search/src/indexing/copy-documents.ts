import { lockWriters } from "@storefront/database";
import type { Transaction } from "@storefront/database";
import type { SearchEngine } from "../engine/search-engine.ts";
import { listEntryIds } from "../store/entry-store.ts";
import { touchGeneration } from "../store/generation-store.ts";
import { listOfferIds } from "../store/source-offer-store.ts";
import { readDocuments } from "./index-changes.ts";
import type { IndexChanges } from "./index-changes.ts";
import type { GenerationDependencies } from "./retire-generations.ts";
import { takenOver } from "./taken-over.ts";

/** Offers, or entries, in one transaction: short enough that the feeds hardly wait. */
const chunkSize = 500;

const copied: readonly {
  readonly list: typeof listOfferIds;
  readonly changesOf: (ids: readonly string[]) => IndexChanges;
}[] = [
  { list: listOfferIds, changesOf: (ids) => ({ offers: ids, prices: ids }) },
  { list: listEntryIds, changesOf: (ids) => ({ entries: ids }) },
];

/**
 * Copies all that is stored to a generation that takes the feeds' writes already; gives the size of
 * each chunk when it is there.
 *
 * @throws ServiceError ABORTED when the generation has been taken for abandoned.
 */
export async function* copyDocuments(
  { database, engine }: GenerationDependencies,
  generation: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<number> {
  for (const { list, changesOf } of copied) {
    for (let after = ""; ;) {
      signal?.throwIfAborted();
      const ids = await list(database, after, chunkSize);
      if (ids.length === 0) break;
      await database.transaction((tx) => copyChunk(tx, engine, generation, changesOf(ids)));
      yield ids.length;
      after = ids.at(-1) ?? after;
    }
  }
}

/** In turn with the feeds: what is read is written before anything newer. */
async function copyChunk(
  tx: Transaction,
  engine: SearchEngine,
  generation: number,
  changes: IndexChanges,
): Promise<void> {
  await lockWriters(tx, "search");
  if (!(await touchGeneration(tx, generation))) throw takenOver();
  await engine.write(tx, generation, await readDocuments(tx, changes));
}
