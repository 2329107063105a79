import { Code, ConnectError } from "@connectrpc/connect";
import { Backoff } from "@storefront/rpc";
import { NoStackError } from "../stack/service-connections.ts";
import { messageOf } from "../user-error.ts";

/** How long an unavailable service is retried. */
export interface RetryOptions {
  /** Longest time from the break of a stream to the next response, in milliseconds; 0 retries nothing, Infinity for ever. */
  retryForMs: number;
  /** Called when waiting begins and ends. */
  note: (line: string) => void;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
}

// Short for a service that restarts at once, long for one whose database is unavailable.
const firstDelayMs = 200;
const longestDelayMs = 5000;

/**
 * Codes of temporary failures. INTERNAL is one because a process that is killed resets its streams with it,
 * CANCELLED because proxies do.
 */
const transientCodes = new Set([
  Code.Unavailable,
  Code.Aborted,
  Code.ResourceExhausted,
  Code.DeadlineExceeded,
  Code.Internal,
  Code.Canceled,
]);

/** The successive outages of one service. */
export class Outage {
  readonly #service: string;
  readonly #options: RetryOptions;
  readonly #backoff = new Backoff(firstDelayMs, longestDelayMs);
  #beganAtMs: number | undefined;

  constructor(service: string, options: RetryOptions) {
    this.#service = service;
    this.#options = options;
  }

  /**
   * Waits until the service should be retried.
   *
   * @param leastMs shortest wait; default by the number of attempts alone
   * @throws the error when it is permanent, or the time for retries is over; the signal's reason when it
   * is aborted.
   */
  async wait(error: unknown, leastMs = 0): Promise<void> {
    const { retryForMs, note, signal } = this.#options;
    const nowMs = performance.now();
    const leftMs = (this.#beganAtMs ?? nowMs) + retryForMs - nowMs;
    if (!isTransient(error) || leftMs <= 0) throw error;
    if (this.#beganAtMs === undefined) {
      this.#beganAtMs = nowMs;
      const limit = Number.isFinite(retryForMs)
        ? `, ${Math.ceil(retryForMs / 1000)} s at most`
        : "";
      note(`Waiting for the ${this.#service} service${limit}: ${messageOf(error)}.`);
    }
    await this.#backoff.wait(signal, leastMs, leftMs);
    signal?.throwIfAborted();
  }

  /** The service has responded. */
  end(): void {
    if (this.#beganAtMs === undefined) return;
    const seconds = ((performance.now() - this.#beganAtMs) / 1000).toFixed(1);
    this.#options.note(`The ${this.#service} service is back after ${seconds} s.`);
    this.#beganAtMs = undefined;
    this.#backoff.reset();
  }
}

/** Whether a retry may succeed. A missing stack may be starting. */
function isTransient(error: unknown): boolean {
  return (
    error instanceof NoStackError ||
    (error instanceof ConnectError && transientCodes.has(error.code))
  );
}
