import { CommitSignal } from "@storefront/change-feed";
import { setTimeout as sleep } from "node:timers/promises";

/** What comes after a piece of work. */
export interface Pause {
  /** Milliseconds; 0 for none. */
  readonly ms: number;
  /** Whether {@link BackgroundLoop.wake} ends it: there was nothing to do. */
  readonly isIdle: boolean;
}

/** Does a piece of work; must not reject. `isWoken`: there may be something new since the last turn. */
export type Turn = (signal: AbortSignal, isWoken: boolean) => Promise<Pause>;

/** Longest pause of a loop with nothing to do, in milliseconds: a database that is suspended when idle sleeps on. */
export const idleMs = 300_000;

/** Work that is done turn by turn, beside everything else, until it is closed. */
export class BackgroundLoop {
  readonly #turn: Turn;
  readonly #stopping = new AbortController();
  readonly #news = new CommitSignal();
  #running: Promise<void> | undefined;

  constructor(turn: Turn) {
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
    while (!signal.aborted) {
      const { version } = this.#news;
      const { ms, isIdle } = await this.#turn(signal, version !== seen);
      seen = version;
      if (isIdle) await this.#news.changedSince(version, ms, signal);
      // Rejects only when it is to end, which the loop looks for.
      else if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
