/**
 * Many read side by side, nobody while something is written. Who waits to write goes before those who begin
 * to read later, so that neither waits for ever. Who reads must not read again within: a writer may wait
 * in between.
 */
export class ReadWriteLock {
  #readers = 0;
  /** Those that wait until nobody reads; a writer is always the first of them. */
  #waiting: PromiseWithResolvers<void> | undefined;

  /** Reads what does not change until it has ended. */
  async read<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    while (this.#waiting !== undefined) await this.#waiting.promise;
    this.#readers += 1;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Writes at one stroke, once nobody reads. */
  async write(stroke: () => void): Promise<void> {
    while (this.#readers > 0) {
      this.#waiting ??= Promise.withResolvers<void>();
      await this.#waiting.promise;
    }
    stroke();
  }

  #leave(): void {
    this.#readers -= 1;
    if (this.#readers > 0) return;
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
