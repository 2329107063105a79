import { ScalarType } from "@bufbuild/protobuf";
import type { DescField, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { jsonFault, MemberFault, stringFault } from "./member-fault.ts";
import { parseTimestampMs, timestampFromMs } from "./timestamps.ts";

/** Largest magnitude of an integer in a record: a JSON number is exact up to it. */
export const maxInteger = 2 ** 53;

const maxInt32 = 2 ** 31 - 1;

/** Converts a JSON value to that of a scalar field; throws MemberFault. */
export function scalarReader(field: DescField): (value: JsonValue) => unknown {
  switch (field.scalar) {
    case ScalarType.STRING:
      return readString;
    case ScalarType.BOOL:
      return readBoolean;
    case ScalarType.INT32:
      return readInt32;
    case ScalarType.INT64:
      return readInt64;
    case ScalarType.DOUBLE:
      return readNumber;
    default:
      throw new TypeError(`${field.toString()}: records have no such fields`);
  }
}

/** A Timestamp message; throws MemberFault. */
export function readTimestamp(value: JsonValue): unknown {
  const timeMs = typeof value === "string" ? parseTimestampMs(value) : undefined;
  if (timeMs === undefined) {
    throw new MemberFault("", "must be an ISO 8601 time such as 2021-03-16T19:05:41.000Z");
  }
  return timestampFromMs(timeMs);
}

/** A free-form object; throws MemberFault. */
export function readStruct(value: JsonValue): JsonObject {
  const object = readObject(value);
  const fault = jsonFault(object);
  if (fault !== undefined) throw new MemberFault(fault.path, fault.rule);
  return object;
}

/** The value, if it is an object; throws MemberFault. */
export function readObject(value: JsonValue): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new MemberFault("", "must be an object");
}

function readString(value: JsonValue): string {
  if (typeof value !== "string") throw new MemberFault("", "must be a string");
  const rule = stringFault(value);
  if (rule !== undefined) throw new MemberFault("", rule);
  return value;
}

function readBoolean(value: JsonValue): boolean {
  if (typeof value !== "boolean") throw new MemberFault("", "must be true or false");
  return value;
}

function readNumber(value: JsonValue): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new MemberFault("", "must be a finite number");
}

function readInt32(value: JsonValue): number {
  const integer = readInteger(value);
  if (integer >= -maxInt32 - 1 && integer <= maxInt32) return integer;
  throw new MemberFault("", "must be an integer of 32 bits");
}

function readInt64(value: JsonValue): bigint {
  const integer = readInteger(value);
  if (Math.abs(integer) <= maxInteger) return BigInt(integer);
  throw new MemberFault("", "must be an integer of at most 2^53");
}

function readInteger(value: JsonValue): number {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new MemberFault("", "must be an integer");
}
