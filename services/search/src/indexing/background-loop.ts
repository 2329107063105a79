import { CommitSignal } from "@storefront/change-feed";
import type { Database, Polling } from "@storefront/database";
import type { Logger } from "@storefront/process";
import { setTimeout as sleep } from "node:timers/promises";

/** Pause after a turn. */
export interface Pause {
  /** Milliseconds; 0 for none. */
  readonly ms: number;
  /** Whether {@link BackgroundLoop.wake} ends it: there was nothing to do. */
  readonly isIdle: boolean;
  /** Whether work is due after an idle pause, which an idle database then does not prolong; default false. */
  readonly isDue?: boolean;
}

/** A unit of work; must not reject. `isWoken`: there may be new work since the last turn. */
type Turn = (signal: AbortSignal, isWoken: boolean) => Promise<Pause>;

/** Longest idle pause in milliseconds; longer while the database is idle. */
export const idleMs = 300_000;

/** Longest timer. */
const longestMs = 2 ** 31 - 1;

/** Runs turns in the background until closed. */
export class BackgroundLoop {
  readonly #polling: Polling;
  readonly #turn: Turn;
  readonly #stopping = new AbortController();
  readonly #news = new CommitSignal();
  #running: Promise<void> | undefined;

  /** @param polling of the database that it uses */
  constructor(polling: Polling, turn: Turn) {
    this.#polling = polling;
    this.#turn = turn;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends an idle pause, or the next one: there may be work. */
  wake(): void {
    this.#news.notify();
  }

  /** Aborts and awaits the current turn. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let seen: number | undefined;
    // A turn that only checks for work is a poll; other turns use the database.
    let isPoll = false;
    while (!signal.aborted) {
      const { version } = this.#news;
      const isWoken = version !== seen;
      const turn = () => this.#turn(signal, isWoken);
      const pause: Pause = await (isPoll && !isWoken
        ? this.#polling.runInBackground(turn)
        : turn());
      const { ms, isIdle, isDue = false } = pause;
      seen = version;
      isPoll = isIdle && !isDue;
      if (isPoll) await this.#untilWoken(version, ms);
      else if (isIdle) await this.#news.changedSince(version, ms, signal);
      else if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Waits for a wake or the next poll. */
  async #untilWoken(version: number, ms: number): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, ending.signal]);
    await Promise.race([
      this.#news.changedSince(version, longestMs, signal),
      this.#polling.untilNextPoll(ms, signal),
    ]);
    ending.abort();
  }
}

/** Queries expire by days; longer while the database is idle. */
const pauseMs = 6 * 3_600_000;
const retryMs = 60_000;

/** A store whose rows expire. */
interface Expiring {
  /** Deletes some expired rows; returns whether there may be more. */
  prune(): Promise<boolean>;
}

/** Deletes expired rows. Replicas may run it concurrently. */
export function createPruningLoop(
  stores: readonly Expiring[],
  { polling }: Database,
  logger: Logger,
): BackgroundLoop {
  return new BackgroundLoop(polling, async (signal) => {
    try {
      let isMore = false;
      for (const store of stores) if (await store.prune()) isMore = true;
      return isMore ? { ms: 0, isIdle: false } : { ms: pauseMs, isIdle: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "expired rows cannot be deleted now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
