/** Length of a window of measurement, in milliseconds; longer while few operations have ended. */
const windowMs = 100;
const windowMsMax = 1000;
/** Operations that must have ended in a window. */
const samplesMin = 10;

/** Admitted work may take so many times its usual duration. */
const toleratedSlowdown = 3;
/** Least and greatest change of the limit by a window. */
const steepestFall = 0.25;
const steepestRise = 1.1;
/** Least limit, in lookups of a single record: a search, or a page of a list. */
const floor = 50;

/** Most operations at a time from which the usual duration is learned, and how many samples count. */
const quietOperations = 2;
const samplesRemembered = 50;

interface Window {
  startedAtMs: number;
  operationsMax: number;
  hasRefused: boolean;
  /** Whether an operation has failed, and not at once. */
  hasFailed: boolean;
  count: number;
  readonly ended: Map<string, { count: number; totalMs: number }>;
}

/**
 * Limits concurrent work so that it stays fast. When work was refused and took too many times its usual duration, the
 * limit falls in proportion; while work is fast it rises by a tenth per 100 ms, up to its ceiling. Without refusals it
 * never falls, so work below the ceiling is done however long it takes.
 *
 * Each operation is measured against itself at quiet moments, so their mix does not matter.
 * Pattern: the gradient limit of https://github.com/Netflix/concurrency-limits.
 * Times are on the clock of `performance.now()`.
 */
export class AdaptiveLimit {
  readonly #max: number;
  readonly #min: number;
  readonly #usualMs = new Map<string, number>();
  #limit: number;
  #operations = 0;
  #window: Window;

  /** @param max the ceiling, which the limit starts at */
  constructor(max: number, nowMs: number) {
    this.#max = max;
    this.#min = Math.min(max, floor);
    this.#limit = max;
    this.#window = newWindow(nowMs, 0);
  }

  /** In lookups of a single record. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Evaluates the window if it is over; to be called before the limit is used. */
  update(nowMs: number): void {
    const elapsedMs = nowMs - this.#window.startedAtMs;
    if (elapsedMs < windowMs) return;
    const { count, hasRefused } = this.#window;
    const samplesNeeded = elapsedMs < windowMsMax ? samplesMin : 1;
    if (count < samplesNeeded && this.#operations > 0) return;
    const gradient = this.#gradient();
    this.#learn();
    if (gradient >= 1) {
      const windows = hasRefused ? 1 : elapsedMs / windowMs;
      this.#limit = Math.min(this.#max, this.#limit * steepestRise ** windows);
    } else if (hasRefused) {
      this.#limit = Math.max(this.#min, this.#limit * gradient);
    }
    this.#window = newWindow(nowMs, this.#operations);
  }

  begun(): void {
    this.#operations += 1;
    this.#window.operationsMax = Math.max(this.#window.operationsMax, this.#operations);
  }

  refused(): void {
    this.#window.hasRefused = true;
  }

  /** @param hasFailed a fast failure says nothing of how long work takes */
  ended(operation: string, durationMs: number, hasFailed: boolean): void {
    this.#operations -= 1;
    if (hasFailed && durationMs < (this.#usualMs.get(operation) ?? windowMsMax)) return;
    if (hasFailed) this.#window.hasFailed = true;
    const sums = this.#window.ended.get(operation) ?? { count: 0, totalMs: 0 };
    sums.count += 1;
    sums.totalMs += durationMs;
    this.#window.ended.set(operation, sums);
    this.#window.count += 1;
  }

  /** The factor of the limit at which the slowdown would be as tolerated. */
  #gradient(): number {
    let tookMs = 0;
    let usualMs = 0;
    for (const [operation, { count, totalMs }] of this.#window.ended) {
      const known = this.#usualMs.get(operation);
      if (known === undefined) continue;
      tookMs += totalMs;
      usualMs += known * count;
    }
    // An operation that was never seen at a quiet moment is measured at the floor.
    if (usualMs === 0) return this.#window.hasRefused ? steepestFall : 1;
    return Math.max(steepestFall, (toleratedSlowdown * usualMs) / tookMs);
  }

  #learn(): void {
    // A deadline is no duration of work.
    if (this.#window.hasFailed) return;
    const isQuiet = this.#window.operationsMax <= quietOperations;
    for (const [operation, { count, totalMs }] of this.#window.ended) {
      const meanMs = totalMs / count;
      const knownMs = this.#usualMs.get(operation);
      if (knownMs === undefined) {
        if (isQuiet || this.#limit === this.#min) this.#usualMs.set(operation, meanMs);
      } else if (isQuiet || meanMs < knownMs) {
        const share = Math.min(1, count / samplesRemembered);
        this.#usualMs.set(operation, knownMs + share * (meanMs - knownMs));
      }
    }
  }
}

function newWindow(startedAtMs: number, operationsMax: number): Window {
  return {
    startedAtMs,
    operationsMax,
    hasRefused: false,
    hasFailed: false,
    count: 0,
    ended: new Map(),
  };
}
