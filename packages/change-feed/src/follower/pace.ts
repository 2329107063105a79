import { setTimeout as sleep } from "node:timers/promises";

/**
 * Step duration in milliseconds where the whole process waits for it (PGlite), and elsewhere: far less than a lease.
 */
const sharedStepMs = 100;
const ownStepMs = 500;

const firstEntries = 300;
const minEntries = 20;

export const maxStepEntries = 5_000;

/**
 * Number of entries that a follower applies in one transaction, adapted to the time of earlier ones. Large
 * steps cost less per entry, but block other transactions, on PGlite's single connection all of them.
 */
export class StepSize {
  readonly #stepMs: number;
  #entries = firstEntries;

  /** @param isShared whether all transactions of the process share one connection */
  constructor(isShared: boolean) {
    this.#stepMs = isShared ? sharedStepMs : ownStepMs;
  }

  get entries(): number {
    return this.#entries;
  }

  /** Halves the size, in case it caused the failure. */
  failed(): void {
    this.#entries = Math.max(Math.round(this.#entries / 2), minEntries);
  }

  /** Adapts to the duration of a step. Steps of few entries are ignored. */
  took(entries: number, durationMs: number): void {
    if (entries < minEntries) return;
    const fitting = (entries * this.#stepMs) / Math.max(durationMs, 1);
    const bounded = Math.min(Math.max(fitting, this.#entries / 2), this.#entries * 1.5);
    this.#entries = Math.round(Math.min(Math.max(bounded, minEntries), maxStepEntries));
  }
}

/** A batch of this many observations is taken for part of an import. */
const bulkObservations = 50;

/** An import is over this long after its last batch, in milliseconds. */
const pauseMs = 100;

/** Followers together take a quarter of the time during an import. */
const restFactor = 3;

/** Longest wait for a turn, in milliseconds: less than a lease. */
const maxWaitMs = 1_000;

/** A follower with a longer lag, in seconds, does not wait. */
const maxLagSeconds = 30;

const checkMs = 10;

// Module state, since an import and the followers of all services share the thread of a process.
let writing = 0;
let wroteAtMs = Number.NEGATIVE_INFINITY;
let restsUntilMs = 0;
let turn: Promise<unknown> = Promise.resolve();

/** Applies a batch of observations. Followers of this process yield to large batches. */
export async function asWriter<Result>(
  observations: number,
  apply: () => Promise<Result>,
): Promise<Result> {
  if (observations < bulkObservations) return await apply();
  writing += 1;
  try {
    return await apply();
  } finally {
    writing -= 1;
    wroteAtMs = performance.now();
  }
}

/** Result of a follower's step, and how long its transactions used a connection. */
export interface FollowerStep<Result> {
  readonly result: Result;
  readonly busyMs: number;
}

/**
 * Runs a step of a follower. During an import in this process, one step runs at a time, with pauses between: the import
 * goes first, and entries are applied in fewer, larger steps. Otherwise, or with a long lag, the step runs at once.
 */
export async function asFollower<Result>(
  lagSeconds: number,
  step: () => Promise<FollowerStep<Result>>,
): Promise<FollowerStep<Result>> {
  if (!isImporting() || lagSeconds > maxLagSeconds) return await step();
  const giveUpAtMs = performance.now() + maxWaitMs;
  const before = turn;
  const done = Promise.withResolvers<void>();
  turn = done.promise;
  try {
    await Promise.race([before, sleep(maxWaitMs)]);
    while (isImporting() && performance.now() < Math.min(restsUntilMs, giveUpAtMs)) {
      await sleep(checkMs);
    }
    const did = await step();
    // Only `busyMs` counts: waiting for the connection does not delay the import.
    restsUntilMs = performance.now() + did.busyMs * restFactor;
    return did;
  } finally {
    done.resolve();
  }
}

/** Whether this process applies large batches, or did so within `pauseMs`. */
export function isImporting(): boolean {
  return writing > 0 || performance.now() - wroteAtMs < pauseMs;
}

/** Runs one task at a time, in order. */
export class SerialWork {
  #last: Promise<unknown> = Promise.resolve();

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return await result;
  }
}
