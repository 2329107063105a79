import { bulkInsert } from "@storefront/database";
import type { Transaction } from "@storefront/database";
import { encodeEntry } from "./encode-entry.ts";
import type { LogEntry } from "./log-entry.ts";

const columns = [
  { name: "kind", type: "text" },
  { name: "key", type: "text[]" },
  { name: "namespace", type: "text" },
  { name: "observed_at", type: "timestamptz" },
  { name: "entry", type: "bytea" },
];

/**
 * Appends writes to `<schema>.change_log`, in the order given. The caller holds the schema's writer
 * lock (`lockWriters`), which makes the sequence increase in the order of commit.
 */
export async function appendToLog(
  tx: Transaction,
  schema: string,
  entries: readonly LogEntry[],
): Promise<void> {
  await bulkInsert(
    tx,
    { table: `${schema}.change_log`, columns },
    entries.map((entry) => ({
      kind: entry.kind,
      key: entry.key,
      namespace: entry.namespace,
      observed_at: entry.observedAt,
      entry: encodeEntry(entry),
    })),
  );
}
