import type { RowValues } from "./column-values.ts";

/** The rows without those that a later one with the same key replaces. */
export function lastRowOfEachKey(
  rows: readonly RowValues[],
  keyColumns: readonly string[],
): RowValues[] {
  const keyOf = (row: RowValues) => JSON.stringify(keyColumns.map((name) => keyText(row[name])));
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

function keyText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
}
