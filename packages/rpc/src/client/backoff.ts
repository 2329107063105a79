import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits between attempts, each twice as long as the one before. Random, between half and all of it, so that the
 * clients of a restarted service do not return at one moment.
 */
export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  #nextMs: number;
  #skipping = new AbortController();

  constructor(firstMs: number, maxMs: number) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
    this.#nextMs = firstMs;
  }

  /** An attempt has succeeded: the next wait is the first one again. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }

  /** Ends the current wait, or else the next one. */
  skip(): void {
    this.#skipping.abort();
  }

  /**
   * Resolves after the wait, or at the signal.
   *
   * @param leastMs shortest wait; default 0
   * @param mostMs longest wait; default no limit of its own
   */
  async wait(signal?: AbortSignal, leastMs = 0, mostMs = Infinity): Promise<void> {
    const delayMs = Math.min(mostMs, Math.max(leastMs, this.#nextMs * (0.5 + Math.random() / 2)));
    this.#nextMs = Math.min(this.#nextMs * 2, this.#maxMs);
    const skipped = this.#skipping.signal;
    const ended = signal === undefined ? skipped : AbortSignal.any([signal, skipped]);
    // Rejects when it is ended early.
    await sleep(delayMs, undefined, { signal: ended }).catch(() => undefined);
    this.#skipping = new AbortController();
  }
}
