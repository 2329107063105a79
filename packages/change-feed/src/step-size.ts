/** Longest step beside an import, in milliseconds: reads wait for it. */
const stepMs = 100;

const minEntries = 20;
const maxEntries = 1_000;

/** Entries of a step while nothing is imported: far fewer cost more in all, far more keep reads waiting. */
const quietEntries = 300;

/**
 * How many entries a follower applies in one transaction. Where connections are many: all that have
 * come, since fewer transactions cost less. On a single connection, as PGlite's, everybody waits for the
 * transaction, so beside an import it has as many as are applied in {@link stepMs}, going by those before.
 */
export class StepSize {
  readonly #isShared: boolean;
  #besideImport = 100;

  /** @param isShared whether everybody in the process waits for these transactions. */
  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  /** The number of entries of the next step. */
  entries(isImporting: boolean): number {
    if (!this.#isShared) return Number.POSITIVE_INFINITY;
    return isImporting ? this.#besideImport : quietEntries;
  }

  /** So many entries took so long. A few say nothing about many. */
  took(entries: number, durationMs: number): void {
    if (entries < minEntries) return;
    const fitting = (entries * stepMs) / Math.max(durationMs, 1);
    const bounded = Math.min(Math.max(fitting, this.#besideImport / 2), this.#besideImport * 1.5);
    this.#besideImport = Math.round(Math.min(Math.max(bounded, minEntries), maxEntries));
  }
}
