import { setTimeout as sleep } from "node:timers/promises";

/** Does a piece of work and says how long to pause after it, in milliseconds; must not reject. */
export type Turn = (signal: AbortSignal) => Promise<number>;

/** Work that is done turn by turn, beside everything else, until it is closed. */
export class BackgroundLoop {
  readonly #turn: Turn;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends when the turn under way does, which its signal asks to be soon. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const pauseMs = await this.#turn(signal);
      if (pauseMs === 0) continue;
      // Rejects only when it is to end, which the loop looks for.
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
