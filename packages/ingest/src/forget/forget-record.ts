import { appendToLog } from "@storefront/change-feed";
import { bulkDelete, lockWriters } from "@storefront/database";
import type { Database, Transaction } from "@storefront/database";
import type { KeyState } from "../apply/apply-observation.ts";
import type { CompiledKind } from "../apply/compiled-kind.ts";
import { keyDigest, keyText } from "../apply/key-digest.ts";
import { loadKeyStates } from "../apply/load-key-states.ts";
import { forgetSighting } from "../apply/sightings.ts";
import { tombstoneKey } from "../apply/store-key-states.ts";
import { toLogEntry } from "../apply/to-log-entry.ts";
import { deletion } from "../diff/changes-between.ts";

/** What was known of a record that was forgotten. */
export interface ForgottenRecord {
  /** Whether there was a record; else at most its deletion was known. */
  readonly wasStored: boolean;
  /** When its last known state was seen; undefined when it was never heard of. */
  readonly observedAt: Date | undefined;
}

/**
 * Removes a record, its tombstone and what its kind keeps of its past, in one transaction with an
 * entry of the log, by which followers drop it. Afterwards any observation of it is fresh. What was
 * never heard of leaves no entry.
 */
export async function forgetRecord(
  database: Database,
  schema: string,
  compiled: CompiledKind,
  key: readonly string[],
): Promise<ForgottenRecord> {
  return await database.transaction(async (tx) => {
    await lockWriters(tx, schema);
    const state = (await loadKeyStates(tx, schema, compiled, [key])).get(keyText(key));
    if (state?.observedAtMs === undefined) return { wasStored: false, observedAt: undefined };
    await remove(tx, schema, state);
    await appendToLog(tx, schema, [logEntryOf(state)]);
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

/** A delete as of now, since the time of the record may be why it is forgotten. */
function logEntryOf({ compiled, key, namespace, current }: KeyState) {
  const { kind } = compiled;
  const changes =
    current === undefined || kind.summary === undefined
      ? []
      : [deletion(kind.summary(current.record))];
  const lastNamespace = current === undefined ? namespace : kind.namespace?.(current.record);
  const change = { compiled, key, changes, observedAt: new Date(), after: undefined };
  return { ...toLogEntry({ ...change, namespace: lastNamespace ?? "" }), isForgotten: true };
}
