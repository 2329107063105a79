/** Longest step in milliseconds where everybody in the process waits for it, and elsewhere: far less than a lease. */
const sharedStepMs = 100;
const ownStepMs = 500;

const firstEntries = 300;
const minEntries = 20;

/** Most entries of a step. */
export const maxStepEntries = 5_000;

/**
 * How many entries a follower applies in one transaction: as many as it applies in a time, going by those before. More
 * cost less in all, and what is far behind comes in large steps; but others wait for it, on PGlite's single connection
 * everybody.
 */
export class StepSize {
  readonly #stepMs: number;
  #entries = firstEntries;

  /** @param isShared whether everybody in the process waits for these transactions. */
  constructor(isShared: boolean) {
    this.#stepMs = isShared ? sharedStepMs : ownStepMs;
  }

  /** The number of entries of the next step. */
  get entries(): number {
    return this.#entries;
  }

  /** The last step failed, perhaps for its size. */
  failed(): void {
    this.#entries = Math.max(Math.round(this.#entries / 2), minEntries);
  }

  /** So many entries took so long. A few say nothing about many. */
  took(entries: number, durationMs: number): void {
    if (entries < minEntries) return;
    const fitting = (entries * this.#stepMs) / Math.max(durationMs, 1);
    const bounded = Math.min(Math.max(fitting, this.#entries / 2), this.#entries * 1.5);
    this.#entries = Math.round(Math.min(Math.max(bounded, minEntries), maxStepEntries));
  }
}
