import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  WatchChangesRequestSchema,
  WatchChangesResponse,
} from "@storefront/contracts/feed/v1/feed_service";
import { readStream } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import type { FollowerParts } from "./follow-options.ts";

/** The stream of a follower from a position, with the kinds that it follows. */
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

/** Between looks at where a log ends, in milliseconds. */
const lookMs = 1_000;

/**
 * Tells the lag where the log ends while entries are missing. The last message that was taken does not show it, because
 * messages wait for those before them. Resolves at the signal, and never rejects.
 */
export async function watchEnd(parts: FollowerParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Rejects at the signal.
    await sleep(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (!parts.lag.isBehind) continue;
    const looked = new AbortController();
    try {
      const ended = AbortSignal.any([signal, looked.signal]);
      for await (const { newestSequence } of watchFeed(parts, { fromNow: true }, ended)) {
        parts.lag.reaches(newestSequence);
        break;
      }
    } catch {
      // The follower's own stream says what is wrong.
    } finally {
      looked.abort();
    }
  }
}

/** How often a feed is told how far its follower is: retention counts in days. */
const intervalMs = 30_000;
const timeoutMs = 5_000;

/**
 * Tells a feed how far its follower has got, so that entries are kept until then. The same place is told
 * once: a service whose log is at rest must not be asked, so that its database can be too.
 */
export class Acknowledger {
  readonly #parts: FollowerParts;
  #acknowledged: bigint | undefined;
  #nextAtMs = 0;
  #isFailing = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Everything up to here is committed. Does not wait, and does not fail: it is said again later. */
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
      // While the service restarts, and for release 0.2.0, which has no such RPC.
      if (!this.#isFailing)
        logger.info({ err, feed }, "the feed cannot be told how far it is read");
      this.#isFailing = true;
    }
  }
}
