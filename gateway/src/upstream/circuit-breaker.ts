import { Code, ConnectError } from "@connectrpc/connect";
import { errorInfoOf } from "@storefront/rpc";
import type { BreakerOptions } from "./upstream-options.ts";

/** Shortest timeout that counts, in milliseconds: a service may exceed the budget of a part, and serve all other calls. */
const tellingSilenceMs = 500;

type Finding = "up" | "down" | "nothing";

/**
 * Fails calls at once while a service is down, so that none waits for its deadline. After a pause there is one trial call;
 * the others still fail until it has ended, since a service that hangs would delay them.
 * Pattern: https://martinfowler.com/bliki/CircuitBreaker.html
 */
export class CircuitBreaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  /** On the clock of `performance.now()`; undefined while closed. */
  #nextTryAt: number | undefined;
  #isTrying = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Whether calls fail without being made. */
  get isOpen(): boolean {
    return this.#nextTryAt !== undefined;
  }

  /** Whether a call would be made now. */
  get isPassable(): boolean {
    if (this.#nextTryAt === undefined) return true;
    return !this.#isTrying && performance.now() >= this.#nextTryAt;
  }

  /** Makes a call, which must be passable, and learns from how it ends. */
  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    const isTry = this.isOpen;
    if (isTry) this.#isTrying = true;
    const startedAt = performance.now();
    let finding: Finding = "up";
    try {
      return await call();
    } catch (error) {
      finding = findingOf(error, performance.now() - startedAt);
      throw error;
    } finally {
      if (isTry) this.#isTrying = false;
      this.#learn(finding, isTry);
    }
  }

  #learn(finding: Finding, isTry: boolean): void {
    if (finding === "up") {
      this.#failures = 0;
      this.#nextTryAt = undefined;
    } else if (finding === "down") {
      this.#failures += 1;
      // Calls that began before it opened say nothing new.
      const opens = isTry || (!this.isOpen && this.#failures >= this.#options.failuresMax);
      if (opens) this.#nextTryAt = performance.now() + this.#options.pauseMs;
    }
  }
}

// A refusal with a reason is from a service that runs; an abandoned call might have been served.
function findingOf(error: unknown, durationMs: number): Finding {
  const failure = ConnectError.from(error);
  if (failure.code === Code.Canceled) return "nothing";
  if (failure.code === Code.DeadlineExceeded) {
    return durationMs >= tellingSilenceMs ? "down" : "nothing";
  }
  return failure.code === Code.Unavailable && errorInfoOf(failure) === undefined ? "down" : "up";
}
