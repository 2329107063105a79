import { create, fromBinary } from "@bufbuild/protobuf";
import type { Message } from "@bufbuild/protobuf";
import type { Column, RowValues } from "@storefront/database";
import {
  fieldsOf,
  identityListsOf,
  identityOf,
  MemberFault,
  specialMembersOf,
  stringFault,
} from "@storefront/import-format";
import { identifier } from "@storefront/rpc";
import { hash } from "node:crypto";
import type { IdentityLists } from "@storefront/import-format";
import type { RecordKind } from "../record-kind.ts";
import { compileRecordCheck } from "../validate/record-check.ts";

/** A kind with what follows from its definition, worked out once. */
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

/** Where a row keeps the digest of its key. */
export const keyDigestColumn: Column = { name: "key_digest", type: "bytea" };

/**
 * SHA-256 of a key, 32 bytes: what tables are indexed by where keys may be longer than the 2,704
 * bytes that an entry of a B-tree holds. Three identifiers take up to 3,072.
 */
export function keyDigest(key: readonly string[]): Buffer {
  return hash("sha256", keyText(key), "buffer");
}

/** A key as one string: its parts are identifiers, so they have no control characters. */
export function keyText(key: readonly string[]): string {
  return key.join("\0");
}
