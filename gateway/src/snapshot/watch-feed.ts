import { ConnectError } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import type { TRPCError } from "@trpc/server";
import type { FeedName } from "@storefront/config";
import type { FeedService, WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import { gone, notFound } from "../errors/public-error.ts";
import { upstreamErrorOf } from "../upstream/upstream-error.ts";
import { defaultSilenceLimitMs, watched } from "../upstream/watched.ts";
import type { FeedPosition } from "./cursor.ts";

const firstBackoffMs = 50;
const maxBackoffMs = 1000;

/** Where the records and writes of copies come from. */
export type CopyFeeds = Readonly<
  Record<FeedName, Pick<Client<typeof FeedService>, "readSnapshot" | "watchChanges">>
>;

interface FeedWatch {
  feeds: CopyFeeds;
  feed: FeedName;
  after: FeedPosition;
  /** Longest wait for the first message, in milliseconds. */
  openTimeoutMs: number;
  signal: AbortSignal;
}

/**
 * The messages of a feed after a position. Once the first has come, the watch is resumed whenever the service
 * restarts. Ends with the signal.
 *
 * @throws TRPCError when the first message does not come, or the log has no continuation of the position
 */
export async function* watchFeed(watch: FeedWatch): AsyncGenerator<WatchChangesResponse> {
  const { feeds, feed, signal } = watch;
  let { after } = watch;
  let waitMs = watch.openTimeoutMs;
  let isOpen = false;
  let backoffMs = firstBackoffMs;
  while (!signal.aborted) {
    try {
      const { sequence: afterSequence, identity: afterIdentity } = after;
      const messages = watched(
        (call) => feeds[feed].watchChanges({ afterSequence, afterIdentity }, call),
        { openTimeoutMs: waitMs, signal },
      );
      for await (const message of messages) {
        const last = message.entries.at(-1);
        // A message without entries says that nothing up to its sequence is missing.
        const sequence = last?.sequence ?? message.newestSequence;
        after = { sequence, identity: last?.identity ?? message.newestIdentity };
        isOpen = true;
        waitMs = defaultSilenceLimitMs;
        backoffMs = firstBackoffMs;
        yield message;
      }
    } catch (error) {
      if (signal.aborted) return;
      const loss = logLossOf(error);
      if (!isOpen || !(error instanceof ConnectError) || loss !== undefined) {
        throw loss ?? upstreamErrorOf(feed, error);
      }
    }
    // Random, so that the watches of a restarted service do not all resume at once. Rejects only when aborted.
    const pauseMs = backoffMs * (0.5 + Math.random() / 2);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  }
}

/** Why a log has no continuation of a position; undefined for other failures. */
function logLossOf(error: unknown): TRPCError | undefined {
  switch (errorInfoOf(ConnectError.from(error))?.reason) {
    case ErrorReason.LOG_PRUNED:
      return gone(
        "The changes after this cursor are no longer kept; begin again with a new snapshot.",
      );
    case ErrorReason.LOG_DIVERGED:
    case ErrorReason.SEQUENCE_OUT_OF_RANGE:
      return notFound(
        "Cursor not found: it is of a history that was lost, or of another catalogue; begin anew with a snapshot.",
      );
    default:
      return undefined;
  }
}
