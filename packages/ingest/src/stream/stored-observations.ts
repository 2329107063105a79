import { toBinary } from "@bufbuild/protobuf";
import type { Queryable } from "@storefront/database";
import { compileKind } from "../apply/compiled-kind.ts";
import type { RecordKind } from "../record-kind.ts";
import { pageRows, storedRows } from "./stored-rows.ts";

/** A state of a record as it is stored, for export. */
export interface StoredObservation {
  /** Name of the kind. */
  readonly kind: string;
  readonly observedAt: Date;
  /** The serialized record; of a deletion, one with nothing but the identity. */
  readonly bytes: Uint8Array;
  readonly isDeletion: boolean;
}

/** The stored records of a kind, by identity, one page in memory at a time. */
export async function* storedRecords(
  database: Queryable,
  kind: RecordKind,
): AsyncGenerator<StoredObservation> {
  const compiled = compileKind(kind);
  for await (const { observedAt, bytes } of storedRows(database, compiled, compiled.keyColumns)) {
    yield { kind: kind.name, observedAt, bytes, isDeletion: false };
  }
}

/** The remembered deletions of a kind, in no particular order, one page in memory at a time. */
export async function* storedDeletions(
  database: Queryable,
  schema: string,
  kind: RecordKind,
): AsyncGenerator<StoredObservation> {
  const compiled = compileKind(kind);
  const sql = `select key_digest, key, observed_at from ${schema}.tombstone
    where kind = $1 and key_digest > $2 order by key_digest limit ${pageRows}`;
  let after: Uint8Array = new Uint8Array();
  for (;;) {
    const rows = await database.read<{ key_digest: Uint8Array; key: string[]; observed_at: Date }>(
      sql,
      [kind.name, after],
    );
    for (const { key, observed_at } of rows) {
      const bytes = toBinary(kind.schema, compiled.recordOfKey(key));
      yield { kind: kind.name, observedAt: observed_at, bytes, isDeletion: true };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.key_digest;
  }
}
