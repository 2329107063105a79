import type { LeaseState } from "./feed-lease.ts";

/** A holder that lives has this long for what has just been written. */
const graceMs = 1_000;

/** `take`: try to; `wait`: look again soon; `idle`: look again when the feed tells of something new. */
export type TakeOverStep = "take" | "wait" | "idle";

/** A position of the log, as the feed told of it. */
export interface HeardPosition {
  readonly newest: bigint;
  /** How many positions were told before. */
  readonly place: number;
}

/**
 * Decides when a process that stands by takes a feed over. That a lease was not renewed says nothing of a
 * holder that has nothing to do, so it is taken when something is due as well. But a process that
 * starts takes what is expired, so that nothing that comes later has to wait for its grace.
 */
export class TakeOver {
  readonly #projectionVersion: number;
  #isStarting = true;
  #isOutdated = false;
  #place = -1;
  #hasLogGoneBack = false;
  #cursor = 0n;
  #stuckSinceMs: number | undefined;

  constructor(projectionVersion: number) {
    this.#projectionVersion = projectionVersion;
  }

  /** Whether a newer version of the projection has written, so that this process may not. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /**
   * @param heard undefined before the feed has told of a position.
   * @param nowMs of any clock that never goes back.
   */
  decide(
    state: LeaseState,
    heard: HeardPosition | undefined,
    nowMs = performance.now(),
  ): TakeOverStep {
    this.#isOutdated = state.version > this.#projectionVersion;
    if (this.#isOutdated) return "idle";
    if (state.holder === undefined || state.version < this.#projectionVersion) return "take";
    if (this.#isStarting) {
      this.#isStarting = !state.isExpired;
      return state.isExpired ? "take" : "wait";
    }
    const isDue = this.#isDue(state, heard);
    if (!isDue || state.cursor !== this.#cursor) this.#stuckSinceMs = undefined;
    this.#cursor = state.cursor;
    if (!isDue) return "idle";
    this.#stuckSinceMs ??= nowMs;
    return state.isExpired && nowMs - this.#stuckSinceMs >= graceMs ? "take" : "wait";
  }

  #isDue({ cursor, snapshotRecords }: LeaseState, heard: HeardPosition | undefined): boolean {
    if (snapshotRecords !== undefined) return true;
    if (heard === undefined) return false;
    if (heard.place !== this.#place) {
      // Told after the cursor was there already. Who applies the feed has to notice.
      this.#hasLogGoneBack = heard.newest < this.#cursor;
      this.#place = heard.place;
    }
    return heard.newest > cursor || this.#hasLogGoneBack;
  }
}
