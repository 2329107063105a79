import type { Queryable } from "@storefront/database";
import type { SearchChunk, SearchWord } from "../../text-match.ts";
import type { ColumnsOfGenerations } from "../columns/index-columns.ts";
import { tablesOf } from "../tables.ts";
import type { WordColumns } from "./word-columns.ts";

/** The table of a generation's words. */
export interface TextTable {
  readonly table: string;
  /** The column with at least the words of titles, makers and tags. */
  readonly names: string;
  /** SQL for the rank of an offer's type. */
  readonly typeRank: string;
  /** Whether it has the columns that are loaded into memory. */
  readonly isLoadable: boolean;
}

/**
 * The word tables of generations. For release 0.2.0: its tables lack the generated columns, and serve until a new
 * generation is built.
 */
export class TextTables {
  readonly #hasNames = new Map<number, boolean>();

  async of(queryable: Queryable, generation: number): Promise<TextTable> {
    const table = tablesOf(generation).text;
    const hasNames = this.#hasNames.get(generation) ?? (await checkNames(queryable, table));
    // A missing table may still be created.
    if (hasNames !== undefined) this.#hasNames.set(generation, hasNames);
    return hasNames === false
      ? { table, names: "words", typeRank: "0", isLoadable: false }
      : { table, names: "names", typeRank: "text.type_rank", isLoadable: true };
  }
}

/** Undefined when there is no such table. */
async function checkNames(queryable: Queryable, table: string): Promise<boolean | undefined> {
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
 * The source of a generation's words: memory, once loaded, else their table.
 *
 * @param atLeast minimum version in memory; default any of a moment ago
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
  return { table, held: table.isLoadable ? await columns.words(generation, atLeast) : undefined };
}

/**
 * A `tsquery` of chunks. Words have only letters and digits, so nothing needs escaping.
 *
 * @param weights of the places to search; default all
 * @param isWhole ignores prefixes; default false
 */
export function tsquery(
  chunks: readonly SearchChunk[],
  { weights = "", isWhole = false }: { weights?: string; isWhole?: boolean } = {},
): string {
  const lexeme = ({ word, isPrefix }: SearchWord) => {
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
