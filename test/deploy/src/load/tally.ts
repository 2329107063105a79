/** What went wrong, and when. */
export interface Failure {
  at: string;
  what: string;
}

// Enough to see what they have in common.
const failuresMax = 20;

/** Counts requests, and has the first failures. */
export class Tally {
  readonly name: string;
  readonly failures: Failure[] = [];
  /** Of those that succeeded: responses that had to do without something. */
  degraded = 0;
  /** When a response said that a part is unavailable, which is documented for the time of a database's restart. */
  readonly unavailable: Failure[] = [];
  #succeeded = 0;
  #failed = 0;

  constructor(name: string) {
    this.name = name;
  }

  get succeeded(): number {
    return this.#succeeded;
  }

  get failed(): number {
    return this.#failed;
  }

  get completed(): number {
    return this.#succeeded + this.#failed + this.unavailable.length;
  }

  succeed(): void {
    this.#succeeded += 1;
  }

  beUnavailable(what: string): void {
    this.unavailable.push({ at: new Date().toISOString(), what });
  }

  fail(what: string): void {
    this.#failed += 1;
    if (this.failures.length < failuresMax) {
      this.failures.push({ at: new Date().toISOString(), what });
    }
  }
}
