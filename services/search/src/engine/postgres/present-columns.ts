import type { Queryable } from "@storefront/database";

/**
 * Of some columns those that a table has. One of an earlier index has none of a field that came later; it answers,
 * and is written, until a new index is built.
 */
export async function presentColumns(
  queryable: Queryable,
  table: string,
  columns: Iterable<string>,
): Promise<Set<string>> {
  const rows = await queryable.read<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attname = any($2::text[]) and not attisdropped`,
    [table, [...columns]],
  );
  return new Set(rows.map(({ name }) => name));
}
