/** The length of a window in which work is looked at, in milliseconds; longer while little has ended. */
const windowMs = 100;
const windowMsMax = 1000;
/** Operations that must have ended before a window says something. */
const samplesMin = 10;

/** What is admitted may take so many times what it takes when little else is under way. */
const toleratedSlowdown = 3;
/** Least and most that a window changes the limit by. */
const steepestFall = 0.25;
const steepestRise = 1.1;
/** The limit falls no lower, in lookups of a single record: a search, or a page of lists. */
const floor = 50;

/** Operations under way at a time from which the usual duration is learned, and how many of them count. */
const quietOperations = 2;
const samplesRemembered = 50;

/** What has happened since a moment. */
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
 * Finds how much work may be under way: as much as leaves it quick. When something was refused and what
 * was done has taken too many times its usual duration, the limit falls by as much; whenever work is
 * quick it rises by a tenth in 100 ms, up to its ceiling. It never falls where nothing is refused, so
 * what fits below the ceiling is done, however long it takes.
 *
 * Each operation is measured against itself at quiet moments, so it does not matter which are asked for.
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

  /** How much may be under way, in lookups of a single record. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Looks at what has ended, before the limit is asked for. */
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

  /** @param hasFailed a failure that comes quickly says nothing of how long work takes */
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

  /** What the limit would have to be multiplied by for the work to be as quick as is tolerated. */
  #gradient(): number {
    let tookMs = 0;
    let usualMs = 0;
    for (const [operation, { count, totalMs }] of this.#window.ended) {
      const known = this.#usualMs.get(operation);
      if (known === undefined) continue;
      tookMs += totalMs;
      usualMs += known * count;
    }
    // What was never seen at a quiet moment is seen at the floor.
    if (usualMs === 0) return this.#window.hasRefused ? steepestFall : 1;
    return Math.max(steepestFall, (toleratedSlowdown * usualMs) / tookMs);
  }

  #learn(): void {
    // A deadline is not what work takes.
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
