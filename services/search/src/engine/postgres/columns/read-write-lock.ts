/**
 * Many read side by side, none while something is written. Who waits to write goes before those who begin
 * to read later, so that neither waits for ever. Who reads must not read again within: a writer may wait
 * in between.
 */
export class ReadWriteLock {
  #readers = 0;
  #waitingWriters = 0;
  /** Of those that wait: resolved when none reads, and when one has written. */
  #waiting: PromiseWithResolvers<void> | undefined;

  /** Reads what does not change until it has ended. */
  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#waitingWriters > 0) await this.#untilFree();
    this.#readers += 1;
    try {
      return await work();
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) this.#tellWaiting();
    }
  }

  /** Writes at one stroke, once none reads. */
  async write(stroke: () => void): Promise<void> {
    this.#waitingWriters += 1;
    while (this.#readers > 0) await this.#untilFree();
    this.#waitingWriters -= 1;
    try {
      stroke();
    } finally {
      this.#tellWaiting();
    }
  }

  async #untilFree(): Promise<void> {
    this.#waiting ??= Promise.withResolvers<void>();
    await this.#waiting.promise;
  }

  #tellWaiting(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
