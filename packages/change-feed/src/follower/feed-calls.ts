import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  WatchChangesRequestSchema,
  WatchChangesResponse,
} from "@storefront/contracts/feed/v1/feed_service";
import { readStream } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import type { FollowerParts } from "./follow-options.ts";

/** Streams the followed kinds of a feed from a position. */
export function watchFeed(
  { client, options }: Pick<FollowerParts, "client" | "options">,
  from: MessageInitShape<typeof WatchChangesRequestSchema>,
  signal: AbortSignal,
): AsyncGenerator<WatchChangesResponse> {
  const { kinds = [], idleLimitMs } = options;
  return readStream({
    open: (call) => client.watchChanges({ ...from, kinds: [...kinds] }, call),
    silenceLimitMs: idleLimitMs,
    signal,
  });
}

/** Interval between reads of the end of a log, in milliseconds. */
const checkMs = 1_000;

/**
 * Updates the lag with the end of the log while entries are missing: the last received message does not show
 * it, since messages queue behind earlier ones. Resolves when the signal aborts; never rejects.
 */
export async function watchEnd(parts: FollowerParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(checkMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (!parts.lag.isBehind) continue;
    const looked = new AbortController();
    try {
      const ended = AbortSignal.any([signal, looked.signal]);
      for await (const { newestSequence } of watchFeed(parts, { fromNow: true }, ended)) {
        parts.lag.reaches(newestSequence);
        break;
      }
    } catch {
      // The follower's own stream reports the error.
    } finally {
      looked.abort();
    }
  }
}

/** Acknowledgement interval. Retention counts in days. */
const intervalMs = 30_000;
const timeoutMs = 5_000;

/**
 * Acknowledges applied sequences to a feed, which stores entries until then. An unchanged sequence is sent
 * once, so that an idle service and its database stay idle.
 */
export class Acknowledger {
  readonly #parts: FollowerParts;
  #acknowledged: bigint | undefined;
  #nextAtMs = 0;
  #isFailing = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Acknowledges a committed sequence, without waiting. A failure is retried by a later call. */
  note(sequence: bigint): void {
    const nowMs = performance.now();
    if (sequence === this.#acknowledged || nowMs < this.#nextAtMs) return;
    this.#nextAtMs = nowMs + intervalMs;
    void this.#acknowledge(sequence);
  }

  async #acknowledge(sequence: bigint): Promise<void> {
    const { client, options, signal } = this.#parts;
    const { feed, schema: follower, logger } = options;
    try {
      await client.acknowledgeChanges({ follower, sequence }, { signal, timeoutMs });
      this.#acknowledged = sequence;
      this.#isFailing = false;
    } catch (err) {
      // The service restarts, or is release 0.2.0, which has no such RPC.
      if (!this.#isFailing)
        logger.info({ err, feed }, "the applied position cannot be acknowledged");
      this.#isFailing = true;
    }
  }
}
