import type { Collection } from "../documents/collection.ts";
import { isNumber, isString, isVector } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { findField } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import { parseNumberOperand } from "./number-operand.ts";
import { fieldValues } from "./field-values.ts";
import type { DocumentFilter } from "./field-values.ts";
import { listContent, splitPlain, splitValues, valueError } from "./filter-value.ts";
import { parseStringOperand } from "./string-operand.ts";

/**
 * Reads one operand, `field:value`. The first colon ends the field's name.
 *
 * @throws TypesenseError 400 in the server's words.
 */
export function parseOperand(
  collection: Collection,
  operand: string,
  validateFieldNames: boolean,
  objectPrefix: string,
): DocumentFilter {
  const join = /^!?\$(.+?)\(.+\)$/su.exec(operand);
  if (join !== null) {
    // Joins are left out of the double: every referenced collection is one that is missing.
    throw new TypesenseError(`Referenced collection \`${join[1]}\` not found.`);
  }
  const colon = operand.indexOf(":");
  if (colon === -1) throw new TypesenseError("Could not parse the filter query.");
  const name = objectPrefix + operand.slice(0, colon).trim();
  const value = operand.slice(colon + 1).trim();
  if (name === "id") return parseIdOperand(value);
  const field = findField(collection.schema, name);
  if (field === undefined) {
    if (!validateFieldNames) return () => false;
    throw new TypesenseError(`Could not find a filter field named \`${name}\` in the schema.`);
  }
  if (isVector(field)) {
    throw new TypesenseError(`Cannot filter on vector field \`${name}\`.`);
  }
  if (!field.index) {
    throw new TypesenseError(`Cannot filter on non-indexed field \`${name}\`.`);
  }
  if (isString(field)) return parseStringOperand(collection, field, value);
  const plain = value.replace(/^= */u, "");
  return isNumber(field) ? parseNumberOperand(field, plain) : parseBoolOperand(field, plain);
}

/**
 * A filter on `id`: bytes are compared, without words or case folding; `*` is every id.
 *
 * @throws TypesenseError 400 when the value is empty.
 */
function parseIdOperand(value: string): DocumentFilter {
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

/**
 * A filter on a bool field; a leading `=` is gone already.
 *
 * @throws TypesenseError 400 for anything but `true` and `false`.
 */
function parseBoolOperand(field: Field, value: string): DocumentFilter {
  const negated = value.startsWith("!");
  const rest = value.replace(/^!=? */u, "");
  if (rest === "") {
    throw valueError(
      field.name,
      `Filter value cannot be empty${negated ? " after '!' operator" : ""}.`,
    );
  }
  const list = listContent(rest);
  const wanted = list === undefined ? [rest] : splitPlain(list);
  if (wanted.some((text) => text !== "true" && text !== "false")) {
    throw new TypesenseError(
      list === undefined
        ? `Value of filter field \`${field.name}\` must be \`true\` or \`false\`.`
        : `Values of filter field \`${field.name}\`: must be \`true\` or \`false\`.`,
    );
  }
  return (stored) =>
    fieldValues(stored, field).some((held) => wanted.includes(String(held))) !== negated;
}
