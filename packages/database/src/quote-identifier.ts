/** A table, column or schema name as SQL: `catalog.offer` becomes `"catalog"."offer"`. */
export function quoteIdentifier(name: string): string {
  return name
    .split(".")
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".");
}
