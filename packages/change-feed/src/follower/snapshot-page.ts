import type { Client } from "@connectrpc/connect";
import type { FeedEntry, FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { beginningOfLog } from "../log/log-source.ts";
import type { LogPosition } from "../log/log-source.ts";
import { readStream } from "@storefront/rpc";

/** The owner reads a page of records between two messages. */
const silenceLimitMs = 30_000;

/** Which record: its kind and identity members. */
export interface RecordKey {
  readonly kind: string;
  readonly key: readonly string[];
}

/** Records of a kind that follow each other. */
export interface SnapshotPage {
  readonly kind: string;
  /** What the page comes after; empty for the first. */
  readonly after: readonly string[];
  /** All entries of each record. */
  readonly entries: readonly FeedEntry[];
  /** Of the last record; undefined where there are no more of the kind. */
  readonly through: readonly string[] | undefined;
  /** The log when it was read: each record has all writes up to there, or later ones too. */
  readonly position: LogPosition;
}

/** For release 0.2.0: an owner that gives no pages of a snapshot. */
class NoPagesError extends Error {
  override readonly name = "NoPagesError";

  constructor() {
    super("the owner is of an earlier release, which gives no pages of a snapshot");
  }
}

/** Asks an owner for the records of a kind after a key, so many at most. */
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

/** Tells records apart. */
export function keyText({ kind, key }: RecordKey): string {
  return JSON.stringify([kind, ...key]);
}

/** What is applied of a log while pages of a snapshot are on their way. */
export class NewerEntries {
  readonly #lists = new Set<FeedEntry[]>();

  /** A list of what is applied from now on. */
  begin(): FeedEntry[] {
    const list: FeedEntry[] = [];
    this.#lists.add(list);
    return list;
  }

  add(entries: readonly FeedEntry[]): void {
    for (const list of this.#lists) list.push(...entries);
  }

  /** Nothing more is added to a list. */
  end(list: FeedEntry[]): void {
    this.#lists.delete(list);
  }
}
