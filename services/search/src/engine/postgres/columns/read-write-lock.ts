/**
 * Shared reads, exclusive writes. A waiting writer precedes later readers, so that neither starves. Reads must not
 * nest, since a writer may wait in between.
 */
export class ReadWriteLock {
  #readers = 0;
  #waitingWriters = 0;
  /** Of waiting calls: resolved after the last read and each write. */
  #waiting: PromiseWithResolvers<void> | undefined;

  /** Reads data that does not change until the read ends. */
  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#waitingWriters > 0) await this.#untilFree();
    this.#readers += 1;
    try {
      return await work();
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) this.#notifyWaiting();
    }
  }

  /** Writes synchronously, once no reader is active. */
  async write(stroke: () => void): Promise<void> {
    this.#waitingWriters += 1;
    while (this.#readers > 0) await this.#untilFree();
    this.#waitingWriters -= 1;
    try {
      stroke();
    } finally {
      this.#notifyWaiting();
    }
  }

  async #untilFree(): Promise<void> {
    this.#waiting ??= Promise.withResolvers<void>();
    await this.#waiting.promise;
  }

  #notifyWaiting(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
