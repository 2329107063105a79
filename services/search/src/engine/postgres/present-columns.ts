import type { Queryable } from "@storefront/database";
import { integerColumns } from "../column-names.ts";

/**
 * The columns of whole numbers that a table of offers has. One of an earlier index has none of a field that came
 * later; it answers, and is written, until a new index is built.
 */
export async function presentColumns(queryable: Queryable, table: string): Promise<Set<string>> {
  const rows = await queryable.read<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attname = any($2::text[]) and not attisdropped`,
    [table, [...integerColumns.values()]],
  );
  return new Set(rows.map(({ name }) => name));
}
