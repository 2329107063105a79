import type { Client } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { Logger } from "@storefront/telemetry";

/** How often a feed is told how far its follower is: retention counts in days. */
const intervalMs = 30_000;
const timeoutMs = 5_000;

/** Who follows which feed, and how its service is called. */
export interface AcknowledgerOptions {
  readonly client: Client<typeof FeedService>;
  readonly feed: string;
  /** The name that all replicas of the follower have in common. */
  readonly follower: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Tells a feed how far its follower has got, so that entries are kept until then. The same place is told
 * once: a service whose log is at rest must not be asked, so that its database can be too.
 */
export class Acknowledger {
  readonly #options: AcknowledgerOptions;
  #acknowledged: bigint | undefined;
  #nextAtMs = 0;
  #isFailing = false;

  constructor(options: AcknowledgerOptions) {
    this.#options = options;
  }

  /** Everything up to here is committed. Does not wait, and does not fail: it is said again later. */
  note(sequence: bigint): void {
    const nowMs = performance.now();
    if (sequence === this.#acknowledged || nowMs < this.#nextAtMs) return;
    this.#nextAtMs = nowMs + intervalMs;
    void this.#acknowledge(sequence);
  }

  async #acknowledge(sequence: bigint): Promise<void> {
    const { client, follower, feed, logger, signal } = this.#options;
    try {
      await client.acknowledgeChanges({ follower, sequence }, { signal, timeoutMs });
      this.#acknowledged = sequence;
      this.#isFailing = false;
    } catch (err) {
      // Of the release before, which does not know it, or while the service restarts.
      if (!this.#isFailing)
        logger.info({ err, feed }, "the feed cannot be told how far it is read");
      this.#isFailing = true;
    }
  }
}
