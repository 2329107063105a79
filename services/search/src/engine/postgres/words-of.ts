import type { SearchDependencies } from "./search-dependencies.ts";
import type { TextTable } from "./text-tables.ts";
import type { WordColumns } from "./words/word-columns.ts";

/** The words of a generation's offers. */
export interface OfferWords {
  readonly table: TextTable;
  /** Those in memory, once they are there. */
  readonly held: WordColumns | undefined;
}

/** Where the words of a generation's offers are to be asked. */
export async function wordsOf(
  { database, texts, columns }: SearchDependencies,
  generation: number,
): Promise<OfferWords> {
  const table = await texts.of(database, generation);
  return { table, held: table.canBeHeld ? await columns.words(generation) : undefined };
}
