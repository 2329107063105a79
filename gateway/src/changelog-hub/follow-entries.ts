import { Code, ConnectError } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";
import type {
  WatchEntriesRequest,
  WatchEntriesResponse,
} from "@storefront/contracts/changelog/v1/changelog_service";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import { silenceLimitMs, watched } from "../upstream/watched.ts";
import type { WatchOptions } from "../upstream/watched.ts";

const firstBackoffMs = 100;
const maxBackoffMs = 5000;

/** What a follower calls. */
export interface FollowOptions extends WatchOptions {
  watch: (
    request: Pick<WatchEntriesRequest, "afterEntryId">,
    options: CallOptions,
  ) => AsyncIterable<WatchEntriesResponse>;
}

/** Entries that came at once; none is a sign of life. */
export interface EntryBatch {
  /** The entry that they follow in the log; empty while it is not known. */
  after: string;
  entries: Entry[];
}

/**
 * What is stored from now on, in the order of the log, each entry once. When the changelog is
 * restarted or falls silent it goes on after the last entry, or after the one that the changelog began
 * after, with signs of life meanwhile. It ends with the signal, and where nothing says how to go on:
 * before the first entry of a log, or when the last entry is no longer known or was undone.
 *
 * @throws ConnectError when the first message does not come
 */
export async function* followEntries(options: FollowOptions): AsyncGenerator<EntryBatch> {
  const { signal } = options;
  let position = "";
  let waitMs = options.openTimeoutMs;
  let backoffMs = firstBackoffMs;
  let isOpen = false;
  while (!signal.aborted) {
    try {
      const from = { afterEntryId: position };
      const watch = watched((call) => options.watch(from, call), {
        ...options,
        openTimeoutMs: waitMs,
      });
      for await (const message of watch) {
        const { entries, startedAfterEntryId } = message;
        isOpen = true;
        waitMs = silenceLimitMs;
        backoffMs = firstBackoffMs;
        const after = position === "" ? startedAfterEntryId : position;
        position = entries.at(-1)?.id ?? after;
        yield { after, entries };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isOpen || !(error instanceof ConnectError)) throw error;
      if (error.code === Code.NotFound) return;
      if (errorInfoOf(error)?.reason === ErrorReason.ENTRY_UNDONE) return;
    }
    if (position === "") return;
    yield { after: position, entries: [] };
    // Spread, so that the gateways of a restarted changelog do not come back at one moment.
    const delayMs = backoffMs * (0.5 + Math.random() / 2);
    // Rejects only when it is to end, which the loop looks for.
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  }
}
