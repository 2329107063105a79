/** A call that a test aborts; compatible with `Call` of `packages/process`, whose tests use it. */
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

  /** Aborts the call; returns the reason. */
  abort(): Error {
    const reason = new Error("the call was aborted");
    this.abortReason = reason;
    for (const listener of this.#listeners) listener(reason);
    return reason;
  }
}
