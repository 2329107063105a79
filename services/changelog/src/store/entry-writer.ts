import { bulkInsert, lockWriters } from "@storefront/database";
import type { Transaction } from "@storefront/database";
import { isSameState, refText } from "../domain/subject-state.ts";
import type { SubjectRef, SubjectState } from "../domain/subject-state.ts";
import { listEntriesAfter, moveSubjects, storeMoves } from "./scope-store.ts";
import { loadSubjects, storeSubjects } from "./subject-store.ts";
import type { SubjectChange } from "./subject-store.ts";

/** An entry to store, with the state that it reports of its record. */
export interface NewEntry {
  readonly id: string;
  readonly observedAt: Date;
  readonly contextType: string;
  readonly contextId: string;
  readonly namespace: string;
  /** The serialized Entry; undefined when the write changes nothing that a reader sees. */
  readonly bytes: Uint8Array | undefined;
  readonly subject: SubjectRef;
  /** Whether it is from an export, so that its id does not refer to the log of this catalog. */
  readonly isRestored?: boolean;
  /** The state of the record after the entry. */
  readonly observe: (before: SubjectState | undefined) => SubjectState;
  /** Of a canonical entry. */
  readonly write?: CatalogWrite | undefined;
}

/** The write of a canonical entry. */
export interface CatalogWrite {
  /** Its sequence in the catalog's log. */
  readonly sequence: bigint;
  /** See `recordDigest`. */
  readonly recordDigest: bigint;
}

const columns = [
  { name: "id", type: "text" },
  { name: "observed_at", type: "timestamptz" },
  { name: "latest_observed_at", type: "timestamptz" },
  { name: "context_type", type: "text" },
  { name: "context_id", type: "text" },
  { name: "namespace", type: "text" },
  { name: "subject", type: "int8" },
  { name: "entry", type: "bytea" },
  { name: "is_restored", type: "boolean" },
  { name: "record_digest", type: "int8" },
];

const findStored = {
  name: "changelog.findStored",
  text: "select id, entry from changelog.entry where id = any($1::text[])",
};

const findIds = {
  name: "changelog.findStoredIds",
  text: `
    select id from changelog.entry where id = any($1::text[])
    union all
    select id from changelog.entry where id = any($2::text[]) and is_restored is not true`,
};

const findLast = {
  name: "changelog.findLast",
  text: `select position, latest_observed_at from changelog.entry order by position desc limit 1`,
};

/** Excludes other writers of entries until the end of the transaction, so that positions follow commits. */
export async function lockEntries(tx: Transaction): Promise<void> {
  await lockWriters(tx, "changelog");
}

/** The stored ones of these entries, serialized, by id. */
export async function storedEntries(
  tx: Transaction,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const rows = await tx.read<{ id: string; entry: Uint8Array }>(findStored, [ids]);
  return new Map(rows.map(({ id, entry }) => [id, entry]));
}

/**
 * The stored ones of these ids; those of `olderIds` only if they are from this catalog's own log, not from an export.
 */
export async function storedIds(
  tx: Transaction,
  { ids, olderIds }: { ids: readonly string[]; olderIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await tx.read<{ id: string }>(findIds, [ids, olderIds]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stores entries in their order, and updates the lists of the entries and those of records that moved. The caller
 * holds the lock, and leaves out entries that are already stored.
 */
export async function storeEntries(tx: Transaction, entries: readonly NewEntry[]): Promise<void> {
  const refs = new Map(entries.map(({ subject }) => [refText(subject), subject]));
  const stored = await loadSubjects(tx, [...refs.values()]);
  const states = new Map<string, SubjectState>();
  const moves: { text: string; sequence: bigint; before: SubjectState }[] = [];
  for (const { subject, observe, write } of entries) {
    const text = refText(subject);
    const before = states.get(text) ?? stored.get(text)?.state;
    const after = observe(before);
    states.set(text, after);
    if (write !== undefined && before !== undefined && !isSameState(before, after)) {
      moves.push({ text, sequence: write.sequence, before });
    }
  }
  const changes = [...refs].flatMap(([text, ref]): SubjectChange[] => {
    const after = states.get(text);
    return after === undefined ? [] : [{ ref, before: stored.get(text)?.state, after }];
  });
  const { ids, affected } = await storeSubjects(tx, changes);
  await moveSubjects(tx, affected);

  const idOf = (text: string) => ids.get(text) ?? stored.get(text)?.id;
  await storeMoves(
    tx,
    moves.map(({ text, ...move }) => ({ ...move, subject: idOf(text) })),
  );
  await appendEntries(
    tx,
    entries.map((entry) => ({ ...entry, subjectId: idOf(refText(entry.subject)) })),
  );
}

async function appendEntries(
  tx: Transaction,
  entries: readonly (NewEntry & { subjectId: bigint | undefined })[],
): Promise<void> {
  const visible = entries.filter(({ bytes }) => bytes !== undefined);
  if (visible.length === 0) return;
  const last = await tx.readOne<{ position: bigint; latest_observed_at: Date }>(findLast);
  let latestMs = last?.latest_observed_at.getTime() ?? -Infinity;
  const rows = visible.map((entry) => {
    latestMs = Math.max(latestMs, entry.observedAt.getTime());
    return {
      id: entry.id,
      observed_at: entry.observedAt,
      latest_observed_at: new Date(latestMs),
      context_type: entry.contextType,
      context_id: entry.contextId,
      namespace: entry.namespace,
      subject: entry.subjectId,
      entry: entry.bytes,
      is_restored: entry.isRestored === true ? true : undefined,
      record_digest: entry.write?.recordDigest,
    };
  });
  await bulkInsert(tx, { table: "changelog.entry", columns }, rows);
  await listEntriesAfter(tx, last?.position ?? 0n);
}
