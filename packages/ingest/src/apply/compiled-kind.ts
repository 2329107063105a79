import { create, fromBinary, ScalarType, isMessage } from "@bufbuild/protobuf";
import type { Message, DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import type { Column, RowValues } from "@storefront/database";
import {
  fieldsOf,
  identityListsOf,
  identityOf,
  MemberFault,
  specialMembersOf,
  stringFault,
  jsonFault,
  maxInteger,
  within,
} from "@storefront/import-format";
import {
  identifier,
  fieldRules,
  firstFault,
  isTimestamp,
  requireFieldRulesOnly,
} from "@storefront/rpc";
import { hash } from "node:crypto";
import type { IdentityLists } from "@storefront/import-format";
import type { RecordKind } from "../record-kind.ts";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { FieldRules, Rule } from "@storefront/rpc";

/** A kind with properties derived from its definition, computed once. */
export interface CompiledKind {
  readonly kind: RecordKind;
  /** Local names of the identity members, in the order of the contract. */
  readonly identity: readonly string[];
  /** Lists that are compared as sets. */
  readonly identityLists: IdentityLists;
  /** The identity's columns, in its order. */
  readonly keyColumns: readonly Column[];
  /** The columns of the table's primary key: those of the identity, or its digest. */
  readonly rowKeyColumns: readonly Column[];
  /** Top-level members in the order of the contract. */
  readonly members: readonly string[];
  /** Whether a member that is explicitly null is another state than one that is absent. */
  readonly nullIsValue: boolean;
  /** The identity of a record. */
  keyOf(record: Message): string[];
  /** The values of a row in `keyColumns` and `rowKeyColumns`. */
  keyValues(key: readonly string[]): RowValues;
  /** A record with only this identity. */
  recordOfKey(key: readonly string[]): Message;
  /** Reads a stored record. */
  decode(bytes: Uint8Array): Message;
  /** Throws MemberFault unless the record may be stored; truncates its timestamps to the millisecond. */
  check(record: Message): void;
  /** Throws MemberFault unless the identity is valid. */
  checkIdentity(record: Message): void;
}

/** Derives the properties of a kind from its definition; throws TypeError when it contradicts itself. */
export function compileKind(kind: RecordKind): CompiledKind {
  const { schema } = kind;
  const identity = identityOf(schema);
  if (identity.length === 0) throw new TypeError(`${schema.typeName} has no identity`);
  const checkMembers = compileRecordCheck(schema);
  const keyColumns = schema.fields
    .filter(({ localName }) => identity.includes(localName))
    .map(({ name }) => ({ name, type: "text" }));
  const hasDigest = kind.hasKeyDigest === true;
  return {
    kind,
    identity,
    identityLists: identityListsOf(schema),
    keyColumns,
    rowKeyColumns: hasDigest ? [keyDigestColumn] : keyColumns,
    members: schema.fields.map(({ localName }) => localName),
    nullIsValue: specialMembersOf(schema).nulls !== undefined,
    keyOf: (record) => identity.map((name) => String(fieldsOf(record)[name])),
    keyValues: (key) => ({
      ...Object.fromEntries(keyColumns.map(({ name }, index) => [name, key[index]])),
      ...(hasDigest && { [keyDigestColumn.name]: keyDigest(key) }),
    }),
    recordOfKey: (key) => {
      const record = create(schema);
      const values = fieldsOf(record);
      for (const [index, name] of identity.entries()) values[name] = key[index] ?? "";
      return record;
    },
    decode: (bytes) => fromBinary(schema, bytes),
    check: (record) => {
      checkMembers(record);
      const violation = kind.validate?.(record)[0];
      if (violation !== undefined) throw new MemberFault(violation.field, violation.description);
    },
    checkIdentity: (record) => {
      for (const name of identity) {
        const value = fieldsOf(record)[name];
        const rule = stringFault(String(value)) ?? identifier(value);
        if (rule !== undefined) throw new MemberFault(name, rule);
      }
    },
  };
}

/** Column of the digest of a row's key. */
export const keyDigestColumn: Column = { name: "key_digest", type: "bytea" };

/**
 * SHA-256 of a key, 32 bytes: the indexed column of tables whose keys may be longer than the 2,704 bytes of a B-tree
 * entry. Three identifiers take up to 3,072.
 */
export function keyDigest(key: readonly string[]): Buffer {
  return hash("sha256", keyText(key), "buffer");
}

/** A key as one string: its parts are identifiers, and so without control characters. */
export function keyText(key: readonly string[]): string {
  return key.join("\0");
}

type Check = (value: unknown) => void;

/**
 * Compiles the check of every record of a kind: the rules of the contract, and that strings
 * have neither NUL nor lone surrogates, timestamps are of the years 1 to 9999 and integers within
 * 2^53. The check throws MemberFault for the first invalid member, and truncates timestamps to the
 * millisecond in place.
 *
 * @throws TypeError for an unsupported rule.
 */
export function compileRecordCheck(schema: DescMessage): (record: Message) => void {
  requireFieldRulesOnly(schema);
  const fields = schema.fields.map((field) => {
    const rules = fieldRules(field);
    const isOther = rules.ignoresZero || rules.ignoresMessage || field.oneof !== undefined;
    if (isOther || field.fieldKind === "map") {
      throw new TypeError(`${field.toString()} is of a form that is not checked in records`);
    }
    return { name: field.localName, isRequired: rules.isRequired, check: fieldCheck(field, rules) };
  });
  return (message) => {
    const values = fieldsOf(message);
    for (const { name, isRequired, check } of fields) {
      const value = values[name];
      if (value === undefined) {
        if (isRequired) throw new MemberFault(name, "is required");
        continue;
      }
      try {
        check(value);
      } catch (error) {
        throw within(name, error);
      }
    }
  };
}

function fieldCheck(field: DescField, rules: FieldRules): Check {
  if (field.fieldKind !== "list") return withRules(rules.value, valueCheck(field));
  const element = withRules(rules.element, valueCheck(field));
  return withRules(rules.value, (list) => {
    if (!Array.isArray(list)) return;
    for (let index = 0; index < list.length; index += 1) {
      try {
        element(list[index]);
      } catch (error) {
        throw within(`[${index}]`, error);
      }
    }
  });
}

function withRules(rules: readonly Rule[], check: Check): Check {
  if (rules.length === 0) return check;
  return (value) => {
    check(value);
    const fault = firstFault(rules, value);
    if (fault !== undefined) throw new MemberFault("", fault);
  };
}

function valueCheck(field: DescField): Check {
  if (field.message !== undefined) {
    if (field.message.typeName === TimestampSchema.typeName) return checkTimestamp;
    if (field.message.typeName === "google.protobuf.Struct") return checkStruct;
    const check = compileRecordCheck(field.message);
    return (value) => check(value as Message);
  }
  if (field.scalar === ScalarType.STRING) return checkString;
  if (field.scalar === ScalarType.INT64) return checkInteger;
  return field.scalar === ScalarType.DOUBLE ? checkNumber : () => undefined;
}

function checkString(value: unknown): void {
  const rule = typeof value === "string" ? stringFault(value) : undefined;
  if (rule !== undefined) throw new MemberFault("", rule);
}

function checkInteger(value: unknown): void {
  if (typeof value !== "bigint" || (value <= maxInteger && value >= -maxInteger)) return;
  throw new MemberFault("", "must be an integer of at most 2^53");
}

function checkNumber(value: unknown): void {
  if (!Number.isFinite(value)) throw new MemberFault("", "must be a finite number");
}

function checkTimestamp(value: unknown): void {
  if (!isMessage(value, TimestampSchema)) return;
  if (!isTimestamp(value)) throw new MemberFault("", "must be a time of the years 1 to 9999");
  value.nanos -= value.nanos % 1_000_000;
}

function checkStruct(value: unknown): void {
  const fault = jsonFault(value as JsonObject);
  if (fault !== undefined) throw new MemberFault(fault.path, fault.rule);
}
