/** Values pushed by one side and iterated by the other, in order. */
export class BatchQueue<Value> implements AsyncIterable<Value> {
  readonly #waiting: Value[] = [];
  #isEnded = false;
  #wake: (() => void) | undefined;

  push(value: Value): void {
    this.#waiting.push(value);
    this.#wake?.();
  }

  /** No value comes after those pushed. */
  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (;;) {
      const value = this.#waiting.shift();
      if (value !== undefined) {
        yield value;
      } else if (this.#isEnded) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
