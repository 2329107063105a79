import { create } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry, FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import type { LogPosition } from "../log/log-source.ts";
import type { SnapshotProgress } from "./feed-cursor.ts";
import type { KeyRange, Resynchronisation, SnapshotReconciliation } from "./follow-options.ts";
import { maxStepEntries, StepSize } from "./pace.ts";
import { keyText, NewerEntries, readPage } from "./snapshot-page.ts";
import type { RecordKey, SnapshotPage } from "./snapshot-page.ts";

interface SnapshotTaking {
  readonly client: Client<typeof FeedService>;
  readonly reconciliation: SnapshotReconciliation;
  /** Where to resume. */
  readonly progress: SnapshotProgress;
  /** Log entries applied meanwhile. */
  readonly newer: NewerEntries;
  readonly size: StepSize;
  readonly signal: AbortSignal;
  /** Runs a transaction that excludes other processes. */
  readonly transaction: (work: (tx: Transaction) => Promise<void>) => Promise<void>;
  /**
   * Stores the progress in a transaction.
   *
   * @param page that was applied, with the position of its read
   */
  readonly note: (tx: Transaction, progress: SnapshotProgress, page: Noted) => Promise<void>;
}

/** Records that are current at a position of the log, or later. */
interface Noted {
  readonly records: readonly RecordKey[];
  readonly position: LogPosition;
}

/**
 * Applies the records of a snapshot page by page, and deletes stored records that a page lacks between its
 * first and last key. Reads the next page while one is applied.
 */
export async function takeSnapshot(taking: SnapshotTaking): Promise<void> {
  const { reconciliation, signal } = taking;
  const { kinds } = reconciliation;
  let { progress } = taking;
  let next: RecordKey | undefined = kinds.includes(progress.kind)
    ? progress
    : { kind: kinds[0] ?? "", key: [] };
  let reading = read(taking, next);
  for (;;) {
    const { page, newer } = await reading;
    next = nextAfter(page, kinds);
    // An unused page must not reject.
    const upcoming = next && read(taking, next);
    upcoming?.catch(() => undefined);
    progress = await applyPage(taking, page, newer, progress);
    taking.newer.end(newer);
    signal.throwIfAborted();
    if (upcoming === undefined) return;
    reading = upcoming;
  }
}

interface ReadPage {
  readonly page: SnapshotPage;
  /** Log entries applied since the page was requested. */
  readonly newer: FeedEntry[];
}

async function read(
  { client, newer: entries, size, signal }: SnapshotTaking,
  after: RecordKey,
): Promise<ReadPage> {
  // Before the request.
  const newer = entries.begin();
  return { page: await readPage(client, after, size.entries, signal), newer };
}

function nextAfter(
  { kind, through }: SnapshotPage,
  kinds: readonly string[],
): RecordKey | undefined {
  if (through !== undefined) return { kind, key: through };
  const next = kinds[kinds.indexOf(kind) + 1];
  return next === undefined ? undefined : { kind: next, key: [] };
}

/**
 * Applies a page, in several transactions when many stored records are absent from it. Log entries applied
 * since its request may be newer than its records and are applied again after them.
 */
async function applyPage(
  { reconciliation, transaction, note, size }: SnapshotTaking,
  page: SnapshotPage,
  newer: readonly FeedEntry[],
  before: SnapshotProgress,
): Promise<SnapshotProgress> {
  const { kind, entries, through, position } = page;
  const present = new Set(entries.map(keyText));
  const progress: SnapshotProgress = {
    ...before,
    kind,
    key: through ?? entries.at(-1)?.key ?? page.after,
    records: before.records + present.size,
  };
  let after: readonly string[] | undefined = page.after;
  while (after !== undefined) {
    const range: KeyRange = { kind, after, through };
    let beganAtMs = 0;
    let applied: readonly FeedEntry[] = [];
    let rest: readonly string[] | undefined;
    await transaction(async (tx) => {
      beganAtMs = performance.now();
      const stored = await reconciliation.storedKeys(tx, range, maxStepEntries);
      rest = stored.length < maxStepEntries ? undefined : stored.at(-1);
      const absent = stored
        .map((key) => ({ kind, key }))
        .filter((record) => !present.has(keyText(record)))
        .map(absentRecord);
      applied = rest === undefined ? [...absent, ...entries] : absent;
      const given = new Set(applied.map(keyText));
      const again = newer.filter((entry) => given.has(keyText(entry)));
      if (applied.length > 0) {
        await reconciliation.reconcile(tx, [...applied, ...again], before.position);
      }
      await note(tx, rest === undefined ? progress : before, { records: applied, position });
    });
    size.took(applied.length, performance.now() - beganAtMs);
    after = rest;
  }
  return progress;
}

/** An owner that stores past states includes them in the snapshot. */
function absentRecord({ kind, key }: RecordKey): FeedEntry {
  const observedAt = timestampNow();
  return create(FeedEntrySchema, { kind, key: [...key], observedAt, isForgotten: true });
}

/**
 * Applies every record of a snapshot and deletes records that it lacks, before the log is followed.
 *
 * @param progress of an interrupted run; default: begins with the first record and stores no progress
 * @returns the position from which to follow the log
 */
export async function reconcileWithSnapshot(
  at: Resynchronisation,
  reconciliation: SnapshotReconciliation,
  progress?: SnapshotProgress,
): Promise<LogPosition> {
  const { client, signal } = at;
  const begun = progress ?? (await beginSnapshot(at, reconciliation));
  await takeSnapshot({
    client,
    reconciliation,
    progress: begun,
    newer: new NewerEntries(),
    size: new StepSize(false),
    signal,
    transaction: (work) => at.transaction(work),
    note: async (tx, reached) => {
      if (progress !== undefined) await at.snapshots.store(tx, reached);
    },
  });
  await at.transaction((tx) => at.noteRecords(tx, begun.position.sequence));
  return begun.position;
}

/** A snapshot before its first record. */
export async function beginSnapshot(
  { client, reason, signal }: Pick<Resynchronisation, "client" | "reason" | "signal">,
  { kinds: [kind = ""] }: Pick<SnapshotReconciliation, "kinds">,
): Promise<SnapshotProgress> {
  const { position } = await readPage(client, { kind, key: [] }, 1, signal);
  return { reason, position, kind, key: [], records: 0 };
}
