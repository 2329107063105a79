import { ConnectError } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import type { TRPCError } from "@trpc/server";
import type { FeedName } from "@storefront/process";
import type { FeedService, WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { Backoff, errorInfoOf, followStream } from "@storefront/rpc";
import { gone, notFound } from "../errors/public-error.ts";
import { upstreamErrorOf } from "../upstream/upstream-error.ts";
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
  const { feeds, feed, openTimeoutMs, signal } = watch;
  let { sequence: afterSequence, identity: afterIdentity } = watch.after;
  const messages = followStream({
    open: (call) => feeds[feed].watchChanges({ afterSequence, afterIdentity }, call),
    openTimeoutMs,
    signal,
    backoff: new Backoff(firstBackoffMs, maxBackoffMs),
    onBreak(error) {
      const isPassing = error === undefined || error instanceof ConnectError;
      if (!isPassing || logLossOf(error) !== undefined) throw error;
      return true;
    },
  });
  try {
    for await (const message of messages) {
      const last = message.entries.at(-1);
      // A message without entries says that nothing up to its sequence is missing.
      afterSequence = last?.sequence ?? message.newestSequence;
      afterIdentity = last?.identity ?? message.newestIdentity;
      yield message;
    }
  } catch (error) {
    throw logLossOf(error) ?? upstreamErrorOf(feed, error);
  }
}

/** Why a log has no continuation of a position; undefined for other failures. */
function logLossOf(error: unknown): TRPCError | undefined {
  switch (errorInfoOf(ConnectError.from(error))?.reason) {
    case ErrorReason.LOG_PRUNED:
      return gone(
        "The changes after this cursor are no longer stored; restart with a new snapshot.",
      );
    case ErrorReason.LOG_DIVERGED:
    case ErrorReason.SEQUENCE_OUT_OF_RANGE:
      return notFound(
        "Cursor not found: its log was lost, or it is of another catalogue; restart with a new snapshot.",
      );
    default:
      return undefined;
  }
}
