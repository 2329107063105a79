import type { Collection } from "../documents/collection.ts";
import { isNumber, isString, isVector } from "../schema/field.ts";
import { findField } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import { parseBoolOperand } from "./bool-operand.ts";
import { parseIdOperand } from "./id-operand.ts";
import { parseNumberOperand } from "./number-operand.ts";
import type { DocumentFilter } from "./document-filter.ts";
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
    throw new TypesenseError(400, `Referenced collection \`${join[1]}\` not found.`);
  }
  const colon = operand.indexOf(":");
  if (colon === -1) throw new TypesenseError(400, "Could not parse the filter query.");
  const name = objectPrefix + operand.slice(0, colon).trim();
  const value = operand.slice(colon + 1).trim();
  if (name === "id") return parseIdOperand(value);
  const field = findField(collection.schema, name);
  if (field === undefined) {
    if (!validateFieldNames) return () => false;
    throw new TypesenseError(400, `Could not find a filter field named \`${name}\` in the schema.`);
  }
  if (isVector(field)) {
    throw new TypesenseError(400, `Cannot filter on vector field \`${name}\`.`);
  }
  if (!field.index) {
    throw new TypesenseError(400, `Cannot filter on non-indexed field \`${name}\`.`);
  }
  if (isString(field)) return parseStringOperand(collection, field, value);
  const plain = value.replace(/^= */u, "");
  return isNumber(field) ? parseNumberOperand(field, plain) : parseBoolOperand(field, plain);
}
