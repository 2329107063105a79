/**
 * Those who wait for work that they share, however many join while it is done. Its signal is aborted
 * once the last of them has left, so that nothing is done that nobody waits for.
 */
export class Waiters {
  readonly #controller = new AbortController();
  readonly #waiting = new Set<AbortSignal>();
  #isKept = false;

  /** @param signals of those who wait from the beginning; see {@link join} */
  constructor(signals: Iterable<AbortSignal | undefined>) {
    for (const signal of signals) this.#add(signal);
    this.#endUnlessWaitedFor();
  }

  /** Aborted once nobody waits any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @param signal aborted when the one that joins leaves; undefined for one that stays to the end */
  join(signal: AbortSignal | undefined): void {
    this.#add(signal);
    this.#endUnlessWaitedFor();
  }

  /** The work has ended: nothing remembers it any more. */
  release(): void {
    for (const signal of this.#waiting) signal.removeEventListener("abort", this.#onAbort);
    this.#waiting.clear();
  }

  #add(signal: AbortSignal | undefined): void {
    if (signal === undefined) this.#isKept = true;
    else if (!signal.aborted && !this.#waiting.has(signal)) {
      this.#waiting.add(signal);
      signal.addEventListener("abort", this.#onAbort);
    }
  }

  readonly #onAbort = ({ target }: Event): void => {
    if (target instanceof AbortSignal) this.#waiting.delete(target);
    this.#endUnlessWaitedFor();
  };

  #endUnlessWaitedFor(): void {
    if (this.#waiting.size === 0 && !this.#isKept) this.#controller.abort(nobodyWaits);
  }
}

/** Made once, since making the default one takes a stack trace. */
const nobodyWaits = new Error("nobody waits for it any more");
