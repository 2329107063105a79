import type { Queryable } from "@storefront/database";
import type { WantedChunk, WantedWord } from "../../text-match.ts";
import type { ColumnsOfGenerations } from "../columns/index-columns.ts";
import { tablesOf } from "../tables.ts";
import type { WordColumns } from "./word-columns.ts";

/** Where a generation has its offers' words. */
export interface TextTable {
  readonly table: string;
  /** The column with the words of titles, makers and tags, at least. */
  readonly names: string;
  /** SQL for the rank of an offer's type. */
  readonly typeRank: string;
  /** Whether it has the columns that are held in memory. */
  readonly canBeHeld: boolean;
}

/**
 * The tables of words of the generations. For release 0.2.0: one that it has made serves until a new one is built, and
 * lacks the columns that are generated of its words since.
 */
export class TextTables {
  readonly #hasNames = new Map<number, boolean>();

  async of(queryable: Queryable, generation: number): Promise<TextTable> {
    const table = tablesOf(generation).text;
    const hasNames = this.#hasNames.get(generation) ?? (await askForNames(queryable, table));
    // One that does not exist may be made yet.
    if (hasNames !== undefined) this.#hasNames.set(generation, hasNames);
    return hasNames === false
      ? { table, names: "words", typeRank: "0", canBeHeld: false }
      : { table, names: "names", typeRank: "text.type_rank", canBeHeld: true };
  }
}

/** Undefined when there is no such table. */
async function askForNames(queryable: Queryable, table: string): Promise<boolean | undefined> {
  const row = await queryable.readOne<{ has_names: boolean }>(
    `select exists (
        select from pg_attribute
        where attrelid = pg_class.oid and attname = 'names' and not attisdropped
      ) as has_names
      from pg_class where oid = to_regclass($1)`,
    [table],
  );
  return row?.has_names;
}

/**
 * Where the words of a generation's offers are to be asked: in memory, once they are there, else in their table.
 *
 * @param atLeast version of those in memory; default any of a moment ago
 */
export async function wordsOf(
  {
    database,
    texts,
    columns,
  }: { database: Queryable; texts: TextTables; columns: ColumnsOfGenerations },
  generation: number,
  atLeast?: bigint,
): Promise<{ table: TextTable; held: WordColumns | undefined }> {
  const table = await texts.of(database, generation);
  return { table, held: table.canBeHeld ? await columns.words(generation, atLeast) : undefined };
}

/**
 * What is wanted as a `tsquery`. Words are letters and digits only, so that nothing needs escaping.
 *
 * @param weights those of the places that count; default all
 * @param isWhole finds nothing that is longer than what was typed; default false
 */
export function tsquery(
  chunks: readonly WantedChunk[],
  { weights = "", isWhole = false }: { weights?: string; isWhole?: boolean } = {},
): string {
  const lexeme = ({ word, isPrefix }: WantedWord) => {
    const marks = `${isPrefix && !isWhole ? "*" : ""}${weights}`;
    return marks === "" ? `'${word}'` : `'${word}':${marks}`;
  };
  return chunks
    .map((alternatives) => {
      const joined = alternatives.map((words) =>
        words.map((spellings) => `(${spellings.map(lexeme).join(" | ")})`).join(" & "),
      );
      return `(${joined.map((alternative) => `(${alternative})`).join(" | ")})`;
    })
    .join(" & ");
}
