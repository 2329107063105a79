import type { AskedWords, FoundHolders } from "./found-holders.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { countStored, storedHolders } from "./stored-holders.ts";
import { wordsOf } from "./words-of.ts";
import { heldHolders } from "./words/held-holders.ts";

/** Which offers have each word; none for a word that too many have. */
export async function findHolders(
  deps: SearchDependencies,
  generation: number,
  asked: AskedWords,
): Promise<FoundHolders> {
  const { database } = deps;
  const { table, held } = await wordsOf(deps, generation);
  if (held !== undefined) return await heldHolders(held, asked);
  const offerCount = asked.among?.length ?? (await countStored(database, table.table));
  const holders = await storedHolders(database, table.table, { ...asked, offerCount });
  return { offerCount, holders };
}
