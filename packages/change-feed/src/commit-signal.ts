/** Wakes whoever waits for commits of this process; commits of other processes are found by polling. */
export class CommitSignal {
  #version = 0;
  readonly #wakers = new Set<() => void>();

  /** Grows with every notice; read it before the log, so that no commit in between is missed. */
  get version(): number {
    return this.#version;
  }

  /** Something was committed. */
  notify(): void {
    this.#version++;
    for (const wake of this.#wakers) wake();
  }

  /** Resolves at the first notice after `version`, after `timeoutMs`, or when `signal` aborts. */
  async changedSince(version: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#version !== version || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#wakers.add(resolve);
    const onAbort = () => resolve();
    signal.addEventListener("abort", onAbort);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#wakers.delete(resolve);
      signal.removeEventListener("abort", onAbort);
    }
  }
}
