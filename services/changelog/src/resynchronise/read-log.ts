import type { Client } from "@connectrpc/connect";
import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { FeedEntry, FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { observedTypes } from "../domain/subject-state.ts";

/** The writes of the catalog's log after a place, up to another, in batches. */
export async function* readLog(
  at: Pick<Resynchronisation, "client" | "signal">,
  after: LogPosition,
  through: bigint,
): AsyncGenerator<FeedEntry[]> {
  if (through <= after.sequence) return;
  const done = new AbortController();
  const signal = AbortSignal.any([at.signal, done.signal]);
  const request = {
    afterSequence: after.sequence,
    afterIdentity: after.identity,
    kinds: [...observedTypes],
  };
  try {
    const messages = at.client.watchChanges(request, { signal, timeoutMs: 0 });
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

/** Where the catalog's log ends now. */
export async function newestSequence(
  client: Client<typeof FeedService>,
  signal: AbortSignal,
): Promise<bigint> {
  const done = new AbortController();
  const call = { signal: AbortSignal.any([signal, done.signal]) };
  try {
    for await (const { newestSequence: newest } of client.watchChanges({ fromNow: true }, call)) {
      return newest;
    }
    throw new Error("the feed ended before it began");
  } finally {
    done.abort();
  }
}
