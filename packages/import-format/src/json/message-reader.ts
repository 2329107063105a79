import { create } from "@bufbuild/protobuf";
import type { DescField, DescMessage, JsonObject, JsonValue, Message } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { fieldsOf, specialMembersOf } from "../members.ts";
import type { SpecialMembers } from "../members.ts";
import { MemberFault, within } from "./member-fault.ts";
import { readObject, readStruct, readTimestamp, scalarReader } from "./read-value.ts";

/** Counts while a record is read. */
export interface ReadState {
  /** Members, at any depth, that were omitted because the contract does not have them. */
  unknownMembers: number;
}

type ReadValue = (value: JsonValue, state: ReadState) => unknown;

/** A compiled message type: readers of its members, and the required ones. */
export interface MessageReader {
  readonly read: ReadonlyMap<string, ReadValue>;
  /** Members without presence: in a message they cannot be unknown. */
  readonly required: readonly string[];
  readonly special: SpecialMembers;
}

const readers = new WeakMap<DescMessage, MessageReader>();

/** The reader of a message type, compiled at its first use. */
export function messageReader(schema: DescMessage): MessageReader {
  const known = readers.get(schema);
  if (known !== undefined) return known;
  const special = specialMembersOf(schema);
  const fields = schema.fields.filter(
    ({ localName }) => localName !== special.restInto && localName !== special.nulls?.into,
  );
  const reader = {
    read: new Map(fields.map((field) => [field.localName, valueReader(field)])),
    required: fields
      .filter((field) => isRequired(field) && special.computed?.includes(field.localName) !== true)
      .map(({ localName }) => localName),
    special,
  };
  readers.set(schema, reader);
  return reader;
}

/** Fills a message with the members of `json`; null is absent. Throws MemberFault. */
export function fillMessage(
  reader: MessageReader,
  message: Message,
  json: JsonObject,
  state: ReadState,
): void {
  const { restInto, nulls } = reader.special;
  const values = fieldsOf(message);
  const rest: [string, JsonValue][] = [];
  const nullMembers: string[] = [];
  for (const name of Object.keys(json)) {
    const value = json[name];
    const read = reader.read.get(name);
    if (read === undefined) {
      if (restInto === undefined) state.unknownMembers += 1;
      else if (value !== undefined && value !== null) rest.push([name, value]);
    } else if (value === undefined || value === null) {
      if (nulls?.members.includes(name) === true) nullMembers.push(name);
    } else {
      try {
        values[name] = read(value, state);
      } catch (error) {
        throw within(name, error);
      }
    }
  }
  if (restInto !== undefined && rest.length > 0) {
    values[restInto] = readStruct(Object.fromEntries(rest));
  }
  if (nulls !== undefined) values[nulls.into] = nullMembers.toSorted();
}

/** Throws MemberFault for the first of `names` that `json` does not have. */
export function requireMembers(names: readonly string[], json: JsonObject): void {
  for (const name of names) {
    const value = json[name];
    if (value === undefined || value === null) throw new MemberFault(name, "is required");
  }
}

function isRequired(field: DescField): boolean {
  return field.fieldKind === "scalar" && field.presence === FeatureSet_FieldPresence.IMPLICIT;
}

function valueReader(field: DescField): ReadValue {
  const read = field.message === undefined ? scalarReader(field) : submessageReader(field.message);
  return field.fieldKind === "list" ? listReader(read) : read;
}

function listReader(read: ReadValue): ReadValue {
  return (value, state) => {
    if (!Array.isArray(value)) throw new MemberFault("", "must be a list");
    return value.map((element, index) => {
      try {
        return read(element, state);
      } catch (error) {
        throw within(`[${index}]`, error);
      }
    });
  };
}

function submessageReader(schema: DescMessage): ReadValue {
  if (schema.typeName === TimestampSchema.typeName) return readTimestamp;
  if (schema.typeName === "google.protobuf.Struct") return readStruct;
  const reader = messageReader(schema);
  return (value, state) => {
    const json = readObject(value);
    requireMembers(reader.required, json);
    const message = create(schema);
    fillMessage(reader, message, json, state);
    return message;
  };
}
