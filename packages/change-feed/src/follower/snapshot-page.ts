import type { Client } from "@connectrpc/connect";
import type { FeedEntry, FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { beginningOfLog } from "../log/log-source.ts";
import type { LogPosition } from "../log/log-source.ts";
import { readStream } from "@storefront/rpc";

/** The owner reads a page of records between two messages. */
const silenceLimitMs = 30_000;

/** A record by its kind and identity members. */
export interface RecordKey {
  readonly kind: string;
  readonly key: readonly string[];
}

/** Consecutive records of a kind. */
export interface SnapshotPage {
  readonly kind: string;
  /** Key before the page; empty for the first page. */
  readonly after: readonly string[];
  /** All entries of each record. */
  readonly entries: readonly FeedEntry[];
  /** Key of the last record; undefined on the last page of the kind. */
  readonly through: readonly string[] | undefined;
  /** Position of the log before the read: each record has all writes up to there, perhaps later ones. */
  readonly position: LogPosition;
}

/** For release 0.2.0: an owner that serves no pages of a snapshot. */
class NoPagesError extends Error {
  override readonly name = "NoPagesError";

  constructor() {
    super("the owner is of an earlier release, which gives no pages of a snapshot");
  }
}

/** Reads the records of a kind after a key, at most `limit`. */
export async function readPage(
  client: Client<typeof FeedService>,
  { kind, key }: RecordKey,
  limit: number,
  signal: AbortSignal,
): Promise<SnapshotPage> {
  const done = new AbortController();
  const messages = readStream({
    open: (call) => client.readSnapshot({ kinds: [kind], limit, afterKey: [...key] }, call),
    silenceLimitMs,
    signal: AbortSignal.any([signal, done.signal]),
  });
  const entries: FeedEntry[] = [];
  let position = beginningOfLog;
  try {
    for await (const message of messages) {
      if (message.limit !== limit) throw new NoPagesError();
      position = { sequence: message.sequence, identity: message.identity };
      entries.push(...message.entries);
    }
  } finally {
    done.abort();
  }
  const isLast = new Set(entries.map(keyText)).size < limit;
  return {
    kind,
    after: key,
    entries,
    through: isLast ? undefined : entries.at(-1)?.key,
    position,
  };
}

/** A record's key as text. */
export function keyText({ kind, key }: RecordKey): string {
  return JSON.stringify([kind, ...key]);
}

/** Log entries applied while pages of a snapshot are read. */
export class NewerEntries {
  readonly #lists = new Set<FeedEntry[]>();

  /** A list to which all applied entries are added from now on. */
  begin(): FeedEntry[] {
    const list: FeedEntry[] = [];
    this.#lists.add(list);
    return list;
  }

  add(entries: readonly FeedEntry[]): void {
    for (const list of this.#lists) list.push(...entries);
  }

  end(list: FeedEntry[]): void {
    this.#lists.delete(list);
  }
}
