/**
 * The unanswered batches of a stream, in order, so that the next stream can begin where the last one
 * broke.
 */
export class BatchQueue<Batch> {
  readonly #unanswered: Batch[] = [];
  /** How many of them the current stream has sent. */
  #taken = 0;
  #streams = 0;
  #isEnded = false;
  #changed = Promise.withResolvers<void>();

  /** Number of unanswered batches. */
  get length(): number {
    return this.#unanswered.length;
  }

  get first(): Batch | undefined {
    return this.#unanswered[0];
  }

  push(batch: Batch): void {
    this.#unanswered.push(batch);
    this.#change();
  }

  /** No more batches will be pushed. */
  end(): void {
    this.#isEnded = true;
    this.#change();
  }

  /** Removes the first batch, to which the current stream has a response. */
  shift(): Batch {
    const batch = this.#taken > 0 ? this.#unanswered.shift() : undefined;
    if (batch === undefined) throw new Error("a response without a batch");
    this.#taken -= 1;
    return batch;
  }

  /** Resolves when there is a batch; false when none will come. */
  async hasMore(): Promise<boolean> {
    while (this.#unanswered.length === 0 && !this.#isEnded) await this.#changed.promise;
    return this.#unanswered.length > 0;
  }

  /** The batches of a new stream, from the first unanswered one. An earlier stream gets no more. */
  async *forNextStream(): AsyncGenerator<Batch> {
    this.#streams += 1;
    this.#taken = 0;
    const stream = this.#streams;
    this.#change();
    while (stream === this.#streams) {
      const batch = this.#unanswered[this.#taken];
      if (batch !== undefined) {
        this.#taken += 1;
        yield batch;
      } else if (this.#isEnded) {
        return;
      } else {
        await this.#changed.promise;
      }
    }
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
