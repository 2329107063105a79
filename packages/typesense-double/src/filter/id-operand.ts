import { listContent, splitValues, valueError } from "./filter-value.ts";
import type { DocumentFilter } from "./document-filter.ts";

/**
 * A filter on `id`: bytes are compared, without words or case folding; `*` is every id.
 *
 * @throws TypesenseError 400 when the value is empty.
 */
export function parseIdOperand(value: string): DocumentFilter {
  const negated = value.startsWith("!=");
  const rest = value.replace(/^(?:!=|=) */u, "");
  const list = listContent(rest);
  const ids = splitValues(list ?? rest);
  if (list === undefined && ids.length === 0) {
    throw valueError("id", "Filter value cannot be empty.");
  }
  const wanted = new Set(list === undefined ? ids.slice(0, 1) : ids);
  return (stored) => (wanted.has("*") || wanted.has(stored.id)) !== negated;
}
