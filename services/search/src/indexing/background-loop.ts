import { CommitSignal } from "@storefront/change-feed";
import type { Database, Polling } from "@storefront/database";
import type { Logger } from "@storefront/process";
import { setTimeout as sleep } from "node:timers/promises";

/** What comes after a piece of work. */
export interface Pause {
  /** Milliseconds; 0 for none. */
  readonly ms: number;
  /** Whether {@link BackgroundLoop.wake} ends it: there was nothing to do. */
  readonly isIdle: boolean;
  /** Whether there is something to do after an idle pause, which an idle database does not make longer; default false. */
  readonly isDue?: boolean;
}

/** Does a piece of work; must not reject. `isWoken`: there may be something new since the last turn. */
type Turn = (signal: AbortSignal, isWoken: boolean) => Promise<Pause>;

/** Longest pause of a loop with nothing to do, in milliseconds; longer where the database is left alone. */
export const idleMs = 300_000;

/** Longest time of a timer. */
const longestMs = 2 ** 31 - 1;

/** Work that is done turn by turn, beside everything else, until it is closed. */
export class BackgroundLoop {
  readonly #polling: Polling;
  readonly #turn: Turn;
  readonly #stopping = new AbortController();
  readonly #news = new CommitSignal();
  #running: Promise<void> | undefined;

  /** @param polling of the database that it works on */
  constructor(polling: Polling, turn: Turn) {
    this.#polling = polling;
    this.#turn = turn;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** There may be something to do: ends an idle pause, also one that is about to begin. */
  wake(): void {
    this.#news.notify();
  }

  /** Ends when the turn under way does, which its signal asks to be soon. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let seen: number | undefined;
    // What only looks for work is a poll; work uses the database.
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
      // Rejects only when it is to end, which the loop looks for.
      else if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Waits until there is news, or it is time to poll. */
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

/** Queries expire by days; an idle database is left alone for longer. */
const pauseMs = 6 * 3_600_000;
const retryMs = 60_000;

/** Something of which a part expires. */
interface Expiring {
  /** Deletes some of what has expired; tells whether there may be more. */
  prune(): Promise<boolean>;
}

/** Deletes what has expired. Replicas may do so at once. */
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
      if (!signal.aborted) logger.warn({ err }, "what has expired cannot be deleted now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
