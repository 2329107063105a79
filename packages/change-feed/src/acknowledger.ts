import type { FollowerParts } from "./follower-parts.ts";

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
      // Of the release before, which does not know it, or while the service restarts.
      if (!this.#isFailing)
        logger.info({ err, feed }, "the feed cannot be told how far it is read");
      this.#isFailing = true;
    }
  }
}
