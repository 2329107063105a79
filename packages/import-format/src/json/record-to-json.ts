import { ScalarType } from "@bufbuild/protobuf";
import { isMessage } from "@bufbuild/protobuf";
import type { DescField, DescMessage, JsonObject, JsonValue, Message } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { fieldsOf, specialMembersOf } from "../members.ts";
import { timestampMsOf } from "./timestamps.ts";

type WriteMessage = (message: Message) => JsonObject;
type WriteValue = (value: unknown) => JsonValue;

const writers = new WeakMap<DescMessage, WriteMessage>();

/**
 * A record in the import format's form: members by their lowerCamelCase names in the order of the
 * contract, absent ones and empty lists omitted, timestamps as `2020-03-26T15:00:00.000Z`, 64-bit
 * integers as numbers (the contract keeps them within 2^53).
 */
export function recordToJson(schema: DescMessage, message: Message): JsonObject {
  return writerOf(schema)(message);
}

function writerOf(schema: DescMessage): WriteMessage {
  const known = writers.get(schema);
  if (known !== undefined) return known;
  const writer = compileWriter(schema);
  writers.set(schema, writer);
  return writer;
}

function compileWriter(schema: DescMessage): WriteMessage {
  const { restInto, nulls } = specialMembersOf(schema);
  const fields = schema.fields
    .filter(({ localName }) => localName !== restInto && localName !== nulls?.into)
    .map((field) => ({ name: field.localName, list: isList(field), write: compileValue(field) }));
  const writeFields: WriteMessage = (message) => {
    const values = fieldsOf(message);
    const json: JsonObject = {};
    for (const { name, list, write } of fields) {
      const value = values[name];
      if (value === undefined) continue;
      if (!list) json[name] = write(value);
      else if (Array.isArray(value) && value.length > 0) json[name] = value.map(write);
    }
    return json;
  };
  if (restInto !== undefined) {
    return (message) => ({
      ...(fieldsOf(message)[restInto] as JsonObject | undefined),
      ...writeFields(message),
    });
  }
  if (nulls === undefined) return writeFields;
  return (message) => {
    const json = writeFields(message);
    for (const name of fieldsOf(message)[nulls.into] as string[]) json[name] = null;
    return json;
  };
}

function isList(field: DescField): boolean {
  return field.fieldKind === "list";
}

function compileValue(field: DescField): WriteValue {
  if (field.message !== undefined) return compileMessageValue(field.message);
  switch (field.scalar) {
    case ScalarType.STRING:
    case ScalarType.BOOL:
    case ScalarType.INT32:
    case ScalarType.DOUBLE:
      return (value) => value as JsonValue;
    case ScalarType.INT64:
      return Number;
    default:
      throw new TypeError(`${field.toString()}: records have no such fields`);
  }
}

function compileMessageValue(schema: DescMessage): WriteValue {
  if (schema.typeName === "google.protobuf.Struct") return (value) => value as JsonValue;
  if (schema.typeName === TimestampSchema.typeName) {
    return (value) =>
      isMessage(value, TimestampSchema) ? new Date(timestampMsOf(value)).toISOString() : null;
  }
  const write = writerOf(schema);
  return (value) => write(value as Message);
}
