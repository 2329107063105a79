/** So many of the last writes are looked at. */
const keptWrites = 100_000;

/** How long after their storing at the origin writes were stored here, in milliseconds. */
export interface LagSummary {
  p50: number;
  p99: number;
  max: number;
}

/** The lags of the last writes. By two clocks: what they differ by is in it. */
export class Lags {
  readonly #ms: number[] = [];
  #count = 0;

  /** Writes that were noted. */
  get count(): number {
    return this.#count;
  }

  note(lagMs: number): void {
    this.#ms[this.#count % keptWrites] = lagMs;
    this.#count++;
  }

  /** Undefined while there are none. */
  summary(): LagSummary | undefined {
    const sorted = this.#ms.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    return sorted.length === 0 ? undefined : { p50: at(0.5), p99: at(0.99), max: at(1) };
  }
}
