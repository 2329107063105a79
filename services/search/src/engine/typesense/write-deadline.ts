/** A server that takes fewer than 100 lines in a second is too slow to wait for. */
const lineMs = 10;

/**
 * When a write has to be over. One write is one transaction of the feeds, and may be of ten lines or of
 * ten thousand: every line that is sent adds its share.
 */
export class WriteDeadline {
  #endsAtMs: number;

  /** @param timeoutMs for the write as such, in milliseconds */
  constructor(timeoutMs: number) {
    this.#endsAtMs = performance.now() + timeoutMs;
  }

  /** Adds the share of lines that are about to be sent. */
  allow(lines: number): void {
    this.#endsAtMs += lines * lineMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAtMs;
  }
}
