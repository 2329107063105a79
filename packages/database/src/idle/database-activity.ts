/** When a database is idle; times are in milliseconds. */
export interface IdleOptions {
  /** So long after its last use; default 60,000. */
  readonly afterMs: number;
  /**
   * How often an idle one is polled all the same, by all processes at the same time of the clock;
   * default 900,000.
   */
  readonly pollMs: number;
}

/** When a database was used last: by this process or, as far as that is told, by others. */
export class DatabaseActivity {
  readonly #options: IdleOptions;
  readonly #wakers = new Set<() => void>();
  #lastUseMs = performance.now();

  constructor(options: IdleOptions) {
    this.#options = options;
  }

  /** Its last use, by `performance.now()`. */
  get lastUseMs(): number {
    return this.#lastUseMs;
  }

  /** How long it is until it is idle, unless it is used; 0 when it is. */
  get msUntilIdle(): number {
    return Math.max(0, this.#lastUseMs + this.#options.afterMs - performance.now());
  }

  noteUse(): void {
    this.#lastUseMs = performance.now();
    for (const wake of this.#wakers) wake();
  }

  /** Resolves at the next use, when an idle database is polled, or when the signal aborts. */
  async untilUse(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const { pollMs } = this.#options;
    // By the clock: a database is woken for all at a time, and is suspended in between.
    const timer = setTimeout(wake, pollMs - (Date.now() % pollMs));
    timer.unref();
    this.#wakers.add(wake);
    signal.addEventListener("abort", wake);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#wakers.delete(wake);
      signal.removeEventListener("abort", wake);
    }
  }
}
