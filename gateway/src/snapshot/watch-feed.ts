import { ConnectError } from "@connectrpc/connect";
import type { WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import type { CopyFeeds } from "./copy-feeds.ts";
import { defaultSilenceLimitMs, watched } from "../upstream/watched.ts";
import type { FeedPlace } from "./cursor.ts";

const firstBackoffMs = 50;
const maxBackoffMs = 1000;

/** Why a log does not say what comes after a place: it keeps that no longer, or has another history. */
export type LogLoss = "pruned" | "other history";

/** What a failed watch says of its place; undefined when it says nothing of it. */
export function logLossOf(error: unknown): LogLoss | undefined {
  const reason = errorInfoOf(ConnectError.from(error))?.reason;
  if (reason === ErrorReason.LOG_PRUNED) return "pruned";
  const { LOG_DIVERGED, SEQUENCE_OUT_OF_RANGE } = ErrorReason;
  return reason === LOG_DIVERGED || reason === SEQUENCE_OUT_OF_RANGE ? "other history" : undefined;
}

/** Of a watch of one feed. */
export interface FeedWatch {
  client: CopyFeeds[keyof CopyFeeds];
  after: FeedPlace;
  /** Longest wait for the first message, in milliseconds. */
  openTimeoutMs: number;
  signal: AbortSignal;
}

/**
 * The messages of a feed after a place. Once the first has come it goes on by itself when the service restarts,
 * as often as it has to. Ends with the signal.
 *
 * @throws ConnectError when the first message does not come, or the log does not say how to go on
 */
export async function* watchFeed(watch: FeedWatch): AsyncGenerator<WatchChangesResponse> {
  const { signal } = watch;
  let { after } = watch;
  let waitMs = watch.openTimeoutMs;
  let isOpen = false;
  let backoffMs = firstBackoffMs;
  while (!signal.aborted) {
    try {
      const { sequence: afterSequence, identity: afterIdentity } = after;
      const messages = watched(
        (call) => watch.client.watchChanges({ afterSequence, afterIdentity }, call),
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
      if (!isOpen || !(error instanceof ConnectError) || logLossOf(error)) throw error;
    }
    // Spread, so that the copies of a restarted service do not come back at one moment. Rejects only when it is
    // to end, which the loop looks for.
    await sleep(backoffMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(
      () => undefined,
    );
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  }
}
