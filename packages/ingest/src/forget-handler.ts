import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { appendToLog } from "@storefront/change-feed";
import { bulkDelete, lockWriters } from "@storefront/database";
import type { Database, Transaction } from "@storefront/database";
import { identifier, invalidFields } from "@storefront/rpc";
import type { KeyState } from "./apply/apply-observation.ts";
import { compileKind, keyDigest, keyText } from "./apply/compiled-kind.ts";
import type { CompiledKind } from "./apply/compiled-kind.ts";
import { loadKeyStates } from "./apply/load-key-states.ts";
import { forgetSighting } from "./apply/sightings.ts";
import { tombstoneKey } from "./apply/store-key-states.ts";
import { toLogEntry } from "./apply/apply-observation.ts";
import { deletion } from "./diff/changes-between.ts";
import type { OwnedRecords } from "./stream/ingest-handler.ts";

/** The form of every service's request to forget. */
export interface ForgetRequest {
  readonly kind: string;
  readonly key: readonly string[];
  /** For a service with a changelog: whether another stack has forgotten it, whose changelog is mirrored too. */
  readonly isMirrored?: boolean;
}

/** The form of every service's response. */
export interface ForgetResponse {
  wasStored: boolean;
  observedAt?: Timestamp;
}

/**
 * The body of an RPC that forgets a record; see {@link forgetRecord}. Throws INVALID_ARGUMENT for a
 * kind that the service does not store, or a key that is invalid for the kind.
 */
export function forgetHandler({
  database,
  schema,
  kinds,
  commits,
}: OwnedRecords): (request: ForgetRequest) => Promise<ForgetResponse> {
  const compiledKinds = new Map(kinds.map((kind) => [kind.name, compileKind(kind)]));
  return async ({ kind, key, isMirrored = false }) => {
    const compiled = compiledKinds.get(kind);
    if (compiled === undefined) {
      const description = `must be one of ${[...compiledKinds.keys()].join(", ")}`;
      throw invalidFields([{ field: "kind", description }]);
    }
    checkKey(compiled, key);
    const { wasStored, observedAt } = await forgetRecord(database, schema, compiled, {
      key,
      isMirrored,
    });
    commits.notify();
    return { wasStored, ...(observedAt && { observedAt: timestampFromDate(observedAt) }) };
  };
}

function checkKey({ identity }: CompiledKind, key: readonly string[]): void {
  if (key.length !== identity.length) {
    const description = `must have ${identity.length} elements: ${identity.join(", ")}`;
    throw invalidFields([{ field: "key", description }]);
  }
  const violations = key.flatMap((part, index) => {
    const rule = part.isWellFormed() ? identifier(part) : "must not contain a lone surrogate";
    return rule === undefined ? [] : [{ field: `key[${index}]`, description: rule }];
  });
  if (violations.length > 0) throw invalidFields(violations);
}

/** The data of a record that was forgotten. */
interface ForgottenRecord {
  /** Whether the record was stored; else at most its deletion was. */
  readonly wasStored: boolean;
  /** When its last known state was seen; undefined when it was never known. */
  readonly observedAt: Date | undefined;
}

/**
 * Removes a record, its tombstone and the past that its kind stores, in one transaction with an entry of
 * the log, at which followers remove it. Afterwards any observation of it is new. A record that was never
 * known gets no entry.
 */
export async function forgetRecord(
  database: Database,
  schema: string,
  compiled: CompiledKind,
  { key, isMirrored }: { key: readonly string[]; isMirrored: boolean },
): Promise<ForgottenRecord> {
  return await database.transaction(async (tx) => {
    await lockWriters(tx, schema);
    const state = (await loadKeyStates(tx, schema, compiled, [key])).get(keyText(key));
    if (state?.observedAtMs === undefined) return { wasStored: false, observedAt: undefined };
    await remove(tx, schema, state);
    await appendToLog(tx, schema, [logEntryOf(state, isMirrored)]);
    return { wasStored: state.hasRow, observedAt: new Date(state.observedAtMs) };
  });
}

async function remove(tx: Transaction, schema: string, { compiled, key }: KeyState): Promise<void> {
  const { kind, rowKeyColumns } = compiled;
  await bulkDelete(tx, { table: kind.table, keyColumns: rowKeyColumns }, [compiled.keyValues(key)]);
  await bulkDelete(tx, { table: `${schema}.tombstone`, keyColumns: tombstoneKey }, [
    { kind: kind.name, key_digest: keyDigest(key) },
  ]);
  await forgetSighting(tx, compiled, key);
  await kind.onForgotten?.(tx, key);
}

/** A deletion with the current time, since the time of the record may be the reason to forget it. */
function logEntryOf({ compiled, key, namespace, current }: KeyState, isMirrored: boolean) {
  const { kind } = compiled;
  const changes =
    isMirrored || current === undefined || kind.summary === undefined
      ? []
      : [deletion(kind.summary(current.record))];
  const lastNamespace = current === undefined ? namespace : kind.namespace?.(current.record);
  const change = { compiled, key, changes, observedAt: new Date(), after: undefined };
  return { ...toLogEntry({ ...change, namespace: lastNamespace ?? "" }), isForgotten: true };
}
