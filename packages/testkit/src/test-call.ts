/** A call that a test makes and gives up; a `Call` of `packages/process` by its form, since that is tested with it. */
export class TestCall {
  readonly deadlineMs: number;
  abortReason: Error | undefined;
  readonly #listeners = new Set<(reason: Error) => void>();

  /** @param deadlineMs milliseconds since the epoch; default none */
  constructor(deadlineMs = Infinity) {
    this.deadlineMs = deadlineMs;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  onAbort(listener: (reason: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** From now on nobody waits for it; gives the reason that is told. */
  abort(): Error {
    const reason = new Error("nobody waits any more");
    this.abortReason = reason;
    for (const listener of this.#listeners) listener(reason);
    return reason;
  }
}
