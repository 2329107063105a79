import { equals, fromBinary } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { beginningOfLog, feedLossOf } from "@storefront/change-feed";
import type { FeedLoss, LogPosition, Resynchronisation } from "@storefront/change-feed";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type {
  FeedEntry,
  WatchChangesRequestSchema,
} from "@storefront/contracts/feed/v1/feed_service";
import type { Queryable } from "@storefront/database";
import { entryOfFeed } from "../apply-catalog-feed.ts";
import { lastSequence } from "../domain/entry-id.ts";
import { newestOwnEntry } from "../store/own-entry-store.ts";
import type { OwnEntry } from "../store/own-entry-store.ts";
import { observedTypes } from "../domain/subject-state.ts";

/** Longest wait for the first message of a stream, which is sent at once. */
const firstMessageTimeoutMs = 10_000;

type Log = Pick<Resynchronisation, "client" | "signal">;

/**
 * Whether the catalog's log has the write of an entry: it has, it has another one or none, or it no longer
 * has that position.
 */
type Verdict = "same" | "other" | "unknown";

/** Up to where entries and log agree. */
interface CommonPlace {
  /** Entries of writes after this sequence belong to a history that was lost. */
  readonly sequence: bigint;
  /** From where the log can be followed; undefined when the next writes were pruned. */
  readonly followFrom: LogPosition | undefined;
}

/**
 * Finds the last entry that the log has too, by binary search: two histories have a common beginning.
 * Entries that were pruned from the log are older than all of it, and count as common.
 *
 * @param judge checks the log; for undefined, whether the log is complete from its beginning
 */
export async function findCommonPlace(
  queryable: Queryable,
  judge: (entry: OwnEntry | undefined) => Promise<Verdict>,
): Promise<CommonPlace> {
  let newest: LogPosition | undefined;
  let isLogged = false;
  // Entries up to `low` are common, those after `high` are not. The newest first: usually only later writes
  // are lost.
  let low = 0n;
  for (let high = lastSequence, middle = high; low < high; middle = (low + high + 1n) / 2n) {
    const entry = await newestOwnEntry(queryable, low, middle);
    const verdict = entry === undefined ? "unknown" : await judge(entry);
    if (entry !== undefined && verdict === "other") {
      high = entry.says.sequence - 1n;
      continue;
    }
    low = middle;
    newest = entry?.says ?? newest;
    isLogged = entry === undefined ? isLogged : verdict === "same";
  }
  if (newest === undefined) {
    const isWhole = (await judge(undefined)) === "same";
    return { sequence: 0n, followFrom: isWhole ? beginningOfLog : undefined };
  }
  const { sequence, identity } = newest;
  return { sequence, followFrom: isLogged ? { sequence, identity } : undefined };
}

/**
 * Whether the log has an entry, or its own beginning. Entries that release 0.2.0 stored do not name their write: they are
 * compared by its changes.
 */
export async function judgeEntry(log: Log, entry: OwnEntry | undefined): Promise<Verdict> {
  const says = entry?.says ?? beginningOfLog;
  const isUnnamed = entry !== undefined && says.identity === "" && says.sequence > 0n;
  const afterSequence = isUnnamed ? says.sequence - 1n : says.sequence;
  const kinds = isUnnamed ? [entry.contextType] : [];
  const first = await firstAfter(log, { afterSequence, afterIdentity: says.identity, kinds });
  if (typeof first === "string") return first === "pruned" ? "unknown" : "other";
  if (!isUnnamed) return "same";
  const [write] = first;
  return write !== undefined && isOf(write, entry) ? "same" : "other";
}

/** Whether the log can be followed from a position of its own. */
export async function hasPosition(log: Log, position: LogPosition): Promise<boolean> {
  const { sequence: afterSequence, identity: afterIdentity } = position;
  return typeof (await firstAfter(log, { afterSequence, afterIdentity })) !== "string";
}

type WatchRequest = MessageInitShape<typeof WatchChangesRequestSchema>;

/** The first entries of the log after a position, or why there are none. */
async function firstAfter(log: Log, request: WatchRequest): Promise<FeedEntry[] | FeedLoss> {
  try {
    return (await firstMessage(log, request)).entries;
  } catch (error) {
    const loss = feedLossOf(error);
    if (loss === undefined) throw error;
    return loss;
  }
}

async function firstMessage({ client, signal }: Log, request: WatchRequest) {
  const done = new AbortController();
  const stop = AbortSignal.any([signal, done.signal, AbortSignal.timeout(firstMessageTimeoutMs)]);
  try {
    for await (const message of client.watchChanges(request, { signal: stop, timeoutMs: 0 })) {
      return message;
    }
    throw new ConnectError("the feed ended without a message", Code.Unavailable);
  } finally {
    done.abort();
  }
}

function isOf(write: FeedEntry, { id, says, entry }: OwnEntry): boolean {
  const { bytes } = entryOfFeed(write, id);
  if (write.sequence !== says.sequence || bytes === undefined) return false;
  return equals(EntrySchema, fromBinary(EntrySchema, bytes), fromBinary(EntrySchema, entry));
}

/** The writes of the catalog's log after a position, up to another, in batches. */
export async function* readLog(
  log: Log,
  after: LogPosition,
  through: bigint,
): AsyncGenerator<FeedEntry[]> {
  if (through <= after.sequence) return;
  const done = new AbortController();
  const signal = AbortSignal.any([log.signal, done.signal]);
  const request = {
    afterSequence: after.sequence,
    afterIdentity: after.identity,
    kinds: [...observedTypes],
  };
  try {
    const messages = log.client.watchChanges(request, { signal, timeoutMs: 0 });
    for await (const { entries, newestSequence: heartbeat } of messages) {
      const writes = entries.filter(({ sequence }) => sequence <= through);
      if (writes.length > 0) yield writes;
      if ((entries.at(-1)?.sequence ?? heartbeat) >= through) return;
    }
    throw new Error("the feed ended before the end of the log");
  } finally {
    done.abort();
  }
}

/** The last sequence of the catalog's log now. */
export async function newestSequence(log: Log): Promise<bigint> {
  return (await firstMessage(log, { fromNow: true })).newestSequence;
}
