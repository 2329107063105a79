import type { FollowOptions } from "./follow-options.ts";

const firstPauseMs = 1_000;
const maxPauseMs = 300_000;

/**
 * Knows when what a follower holds may lack something that this release keeps: since an earlier one, which does not
 * keep it, may have applied entries. While nobody else has, nothing is looked at.
 */
export class Completeness {
  readonly #options: FollowOptions;
  #isDoubted = false;
  #pauseMs = 0;
  #pauseEndMs = -Infinity;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Others may have applied entries. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Whether something is known to be missing, and it is time to see to it. */
  async isLacking(): Promise<boolean> {
    const { isIncomplete, database } = this.#options;
    if (isIncomplete === undefined || !this.#isDoubted) return false;
    if (performance.now() < this.#pauseEndMs) return false;
    this.#isDoubted = await isIncomplete(database);
    if (!this.#isDoubted) this.#pauseMs = 0;
    return this.#isDoubted;
  }

  /** It was seen to, in vain or not: the next time is after a pause, and after a longer one each time in vain. */
  triedToComplete(): void {
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, firstPauseMs), maxPauseMs);
    this.#pauseEndMs = performance.now() + this.#pauseMs;
  }
}
