import type { Field } from "../schema/field.ts";
import { TypesenseError } from "../typesense-error.ts";
import { listContent, splitPlain, valueError } from "./filter-value.ts";
import { fieldValues } from "./field-values.ts";
import type { DocumentFilter } from "./document-filter.ts";

/**
 * A filter on a bool field; a leading `=` is gone already.
 *
 * @throws TypesenseError 400 for anything but `true` and `false`.
 */
export function parseBoolOperand(field: Field, value: string): DocumentFilter {
  const negated = value.startsWith("!");
  const rest = value.replace(/^!=? */u, "");
  if (rest === "") {
    throw valueError(
      field.name,
      negated
        ? "Filter value cannot be empty after '!' operator."
        : "Filter value cannot be empty.",
    );
  }
  const list = listContent(rest);
  const wanted = list === undefined ? [rest] : splitPlain(list);
  if (wanted.some((text) => text !== "true" && text !== "false")) {
    throw new TypesenseError(
      400,
      list === undefined
        ? `Value of filter field \`${field.name}\` must be \`true\` or \`false\`.`
        : `Values of filter field \`${field.name}\`: must be \`true\` or \`false\`.`,
    );
  }
  return (stored) =>
    fieldValues(stored, field).some((held) => wanted.includes(String(held))) !== negated;
}
