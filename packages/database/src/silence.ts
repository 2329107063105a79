import { settledWithin } from "@storefront/call-scope";
import { ConnectionSilentError } from "./database-errors.ts";
import type { DriverPool } from "./drivers/driver-pool.ts";

/** Longest that a call waits for the answer of a server that was silent, in milliseconds. */
const answerWaitMs = 750;

/** Time between two questions, in milliseconds; longer, so that calls that are retried at once fail at once. */
const askIntervalMs = 1500;

/**
 * Whether a server is silent: from when a statement or a new connection got no answer, until it answers on any
 * connection. It is asked on a separate connection, at once and then while there are callers.
 */
export class Silence {
  readonly #pool: DriverPool;
  readonly #onUnanswered: (error: ConnectionSilentError) => void;
  #isSilent = false;
  #askedAtMs = -Infinity;
  /** Rejects when the last question is not answered in time. */
  #answered: Promise<void> = Promise.resolve();

  /** @param onUnanswered called with each question that is not answered in time. */
  constructor(pool: DriverPool, onUnanswered: (error: ConnectionSilentError) => void) {
    this.#pool = pool;
    this.#onUnanswered = onUnanswered;
  }

  /** A statement or a new connection got no answer. */
  begin(): void {
    if (this.#isSilent) return;
    this.#isSilent = true;
    // They go through the same network, and would each cost somebody the same wait.
    this.#pool.dropIdle();
    this.#ask();
  }

  /** The server has answered. */
  isOver(): void {
    this.#isSilent = false;
  }

  /** @throws ConnectionSilentError when the server still does not answer. */
  async end(): Promise<void> {
    if (!this.#isSilent) return;
    if (performance.now() - this.#askedAtMs >= askIntervalMs) this.#ask();
    await this.#answered;
  }

  #ask(): void {
    this.#askedAtMs = performance.now();
    this.#answered = settledWithin(answerWaitMs, this.#askPool(), () => {
      throw new ConnectionSilentError();
    });
    this.#answered.catch(this.#onUnanswered);
  }

  /** An answer that is late counts too, since a connection may take longer than anybody waits for it. */
  async #askPool(): Promise<void> {
    await this.#pool.ask();
    this.isOver();
  }
}
