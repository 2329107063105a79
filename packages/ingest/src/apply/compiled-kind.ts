import { create, fromBinary } from "@bufbuild/protobuf";
import type { DescField, Message } from "@bufbuild/protobuf";
import type { Column, RowValues } from "@storefront/database";
import { fieldsOf } from "../json/fields.ts";
import { MemberFault } from "../json/member-fault.ts";
import { specialMembersOf } from "../json/special-members.ts";
import { stringFault } from "../json/strings.ts";
import { identifier } from "../limits.ts";
import type { RecordKind } from "../record-kind.ts";
import { compileRecordCheck } from "../validate/record-check.ts";
import { keyDigest, keyDigestColumn } from "./key-digest.ts";

/** A kind with what follows from its definition, worked out once. */
export interface CompiledKind {
  readonly kind: RecordKind;
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
  /** What a row has in `keyColumns` and `rowKeyColumns`. */
  keyValues(key: readonly string[]): RowValues;
  /** A record that has nothing but this identity. */
  recordOfKey(key: readonly string[]): Message;
  /** Reads a stored record. */
  decode(bytes: Uint8Array): Message;
  /** Throws MemberFault unless the record may be stored; cuts its timestamps to the millisecond. */
  check(record: Message): void;
  /** Throws MemberFault unless the identity is one. */
  checkIdentity(record: Message): void;
}

/** Works out what follows from a kind's definition; throws TypeError when it contradicts itself. */
export function compileKind(kind: RecordKind): CompiledKind {
  const identity = kind.identity.map((name) => fieldNamed(kind, name));
  const identityRules = Object.fromEntries(kind.identity.map((name) => [name, identifier]));
  const checkMembers = compileRecordCheck(kind.schema, { ...kind.rules, ...identityRules });
  const keyColumns = identity.map((field) => ({ name: field.name, type: "text" }));
  const hasDigest = kind.hasKeyDigest === true;
  return {
    kind,
    keyColumns,
    rowKeyColumns: hasDigest ? [keyDigestColumn] : keyColumns,
    members: kind.schema.fields.map(({ localName }) => localName),
    nullIsValue: specialMembersOf(kind.schema.typeName).nulls !== undefined,
    keyOf: (record) => kind.identity.map((name) => String(fieldsOf(record)[name])),
    keyValues: (key) => ({
      ...Object.fromEntries(keyColumns.map(({ name }, index) => [name, key[index]])),
      ...(hasDigest && { [keyDigestColumn.name]: keyDigest(key) }),
    }),
    recordOfKey: (key) => {
      const record = create(kind.schema);
      const values = fieldsOf(record);
      for (const [index, name] of kind.identity.entries()) values[name] = key[index] ?? "";
      return record;
    },
    decode: (bytes) => fromBinary(kind.schema, bytes),
    check: (record) => {
      checkMembers(record);
      const violation = kind.validate?.(record)[0];
      if (violation !== undefined) throw new MemberFault(violation.field, violation.description);
    },
    checkIdentity: (record) => {
      for (const name of kind.identity) {
        const value = fieldsOf(record)[name];
        const rule = stringFault(String(value)) ?? identifier(value);
        if (rule !== undefined) throw new MemberFault(name, rule);
      }
    },
  };
}

function fieldNamed(kind: RecordKind, name: string): DescField {
  const field = kind.schema.fields.find(({ localName }) => localName === name);
  if (field === undefined) throw new TypeError(`${kind.name} has no member ${name}`);
  return field;
}
