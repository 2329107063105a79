import { setTimeout as sleep } from "node:timers/promises";

/** Longest step in milliseconds where everybody in the process waits for it, and elsewhere: far less than a lease. */
const sharedStepMs = 100;
const ownStepMs = 500;

const firstEntries = 300;
const minEntries = 20;

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

/** Observations in a batch from which on its sender is taken for an import, which sends the next soon. */
const bulkObservations = 50;

/** So long after a batch an import is over, in milliseconds. */
const pauseMs = 100;

/** Followers together take a quarter of the time that is shared with an import. */
const restFactor = 3;

/** Longest wait for a turn, in milliseconds: less than the time after which a follower is taken for dead. */
const maxWaitMs = 1_000;

/** Followers that are further behind than this, in seconds, do not wait. */
const maxLagSeconds = 30;

const lookMs = 10;

// Of the module, since an import and the followers of all services share the one thread of a process.
let writing = 0;
let wroteAtMs = Number.NEGATIVE_INFINITY;
let restsUntilMs = 0;
let turn: Promise<unknown> = Promise.resolve();

/** Applies a batch of so many observations; followers of this process make room for large ones. */
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

/** A step of a follower: what came of it, and how long its transactions held a connection, in milliseconds. */
export interface FollowerStep<Result> {
  readonly result: Result;
  readonly busyMs: number;
}

/**
 * Does a step of a follower. While something is imported in this process, one step is done at a time,
 * with rests between them: the import goes first, and what comes meanwhile is applied in fewer,
 * larger steps. Otherwise, or when the follower is far behind, it is done at once.
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
      await sleep(lookMs);
    }
    const did = await step();
    // To wait for the connection takes no time from the import.
    restsUntilMs = performance.now() + did.busyMs * restFactor;
    return did;
  } finally {
    done.resolve();
  }
}

/** Whether this process applies large batches, or did so a moment ago. */
export function isImporting(): boolean {
  return writing > 0 || performance.now() - wroteAtMs < pauseMs;
}

/** Does one piece of work at a time, in the order in which they come. */
export class SerialWork {
  #last: Promise<unknown> = Promise.resolve();

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return await result;
  }
}
