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

const firstBackoffMs = 100;
const maxBackoffMs = 5000;

// The service promises a message every 5 s.
const silenceLimitMs = 15_000;

/** What a follower calls and where it begins. */
export interface FollowOptions {
  watch: (
    request: Pick<WatchEntriesRequest, "afterEntryId">,
    options: CallOptions,
  ) => AsyncIterable<WatchEntriesResponse>;
  /** Begin after this entry; empty begins with what is stored from now on. */
  afterEntryId: string;
  headers: NonNullable<CallOptions["headers"]>;
  /** Longest wait for the first message, in milliseconds. */
  openTimeoutMs: number;
  /** Ends the entries. */
  signal: AbortSignal;
}

/**
 * Entries in the order of the log, batch by batch, each once; a batch without entries is a sign of
 * life. When the changelog is restarted or falls silent it goes on after the last entry, with signs
 * of life meanwhile. It ends with the signal, and where nothing says how to go on: before the first
 * entry when it began with now, or when the last entry is no longer known or was undone.
 *
 * @throws ConnectError when the first message does not come
 */
export async function* followEntries(options: FollowOptions): AsyncGenerator<Entry[]> {
  const { signal } = options;
  let position = options.afterEntryId;
  let waitMs = options.openTimeoutMs;
  let backoffMs = firstBackoffMs;
  let isOpen = false;
  while (!signal.aborted) {
    try {
      for await (const { entries } of watchFrom(position, waitMs, options)) {
        isOpen = true;
        waitMs = silenceLimitMs;
        backoffMs = firstBackoffMs;
        position = entries.at(-1)?.id ?? position;
        yield entries;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isOpen || !(error instanceof ConnectError)) throw error;
      if (error.code === Code.NotFound) return;
      if (errorInfoOf(error)?.reason === ErrorReason.ENTRY_UNDONE) return;
    }
    if (position === "") return;
    yield [];
    // Spread, so that the followers of a restarted changelog do not come back at one moment.
    const delayMs = backoffMs * (0.5 + Math.random() / 2);
    // Rejects only when it is to end, which the loop looks for.
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  }
}

/** One call; it is given up when a message takes too long, not when its reader does. */
async function* watchFrom(
  afterEntryId: string,
  firstWaitMs: number,
  { watch, headers, signal }: FollowOptions,
): AsyncGenerator<WatchEntriesResponse> {
  const silence = new AbortController();
  const startTimer = (waitMs: number) => {
    const reason = new ConnectError("the changelog is silent", Code.DeadlineExceeded);
    return setTimeout(() => silence.abort(reason), waitMs);
  };
  let timer = startTimer(firstWaitMs);
  try {
    const call = { signal: AbortSignal.any([signal, silence.signal]), timeoutMs: 0, headers };
    for await (const message of watch({ afterEntryId }, call)) {
      clearTimeout(timer);
      yield message;
      timer = startTimer(silenceLimitMs);
    }
  } finally {
    clearTimeout(timer);
  }
}
