import type { PlacedLine } from "./placed-line.ts";

/** Lines one by one, without a turn of the event loop for each. */
export class LineReader implements AsyncDisposable {
  readonly #batches: AsyncIterator<readonly PlacedLine[]>;
  #batch: readonly PlacedLine[] = [];
  #index = 0;

  constructor(batches: AsyncIterable<readonly PlacedLine[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Undefined at the end of a batch, after which there may be another. */
  get current(): PlacedLine | undefined {
    return this.#batch[this.#index];
  }

  /** The first line of the next batch that has one; undefined when there is none. */
  async load(): Promise<PlacedLine | undefined> {
    while (this.current === undefined) {
      const { done, value } = await this.#batches.next();
      if (done === true) return undefined;
      this.#batch = value;
      this.#index = 0;
    }
    return this.current;
  }

  advance(): void {
    this.#index++;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batches.return?.();
  }
}
