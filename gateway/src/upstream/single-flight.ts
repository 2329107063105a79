import { settledWithin } from "@storefront/process";
import { tookTooLong } from "../errors/public-error.ts";
import type { CallScope } from "./call-scope.ts";

/** How long work is waited for, or may take. */
export type CallLimits = Pick<CallScope, "signal" | "deadlineAt">;

interface Flight<Result> {
  readonly startedAt: number;
  readonly waiters: Waiters;
  readonly result: Promise<Result>;
}

/** Work by key, done once for all who request it within some time. */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Flight<Result>>();
  readonly #joinableMs: number;

  /** @param joinableMs how long after its beginning work is joined; later requests begin it again */
  constructor(joinableMs: number) {
    this.#joinableMs = joinableMs;
  }

  /**
   * Joins the work in progress for the key, or begins it. Fails as the work fails, for all who wait.
   *
   * @param waiting the limits of the caller, which without a signal stays until its deadline
   * @param work its signal is aborted once all callers have left, and its deadline is the latest that a caller who joins
   * may have
   * @throws GATEWAY_TIMEOUT at the deadline of the caller
   */
  async run(
    key: string,
    { signal, deadlineAt }: { signal: AbortSignal | undefined; deadlineAt: number },
    work: (limits: CallLimits) => Promise<Result>,
  ): Promise<Result> {
    const now = performance.now();
    let flight = this.#flights.get(key);
    if (flight === undefined || !this.#isJoinable(flight, now)) {
      flight = this.#begin(key, new Waiters([signal]), now, (workSignal) =>
        work({ signal: workSignal, deadlineAt: deadlineAt + this.#joinableMs }),
      );
    } else flight.waiters.join(signal);
    return await settledWithin(deadlineAt - now, flight.result, () => {
      throw tookTooLong();
    });
  }

  #isJoinable({ startedAt, waiters }: Flight<Result>, now: number): boolean {
    return !waiters.signal.aborted && now - startedAt < this.#joinableMs;
  }

  #begin(
    key: string,
    waiters: Waiters,
    startedAt: number,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Flight<Result> {
    const result = work(waiters.signal).finally(() => {
      waiters.release();
      // It may have been replaced by a newer one.
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    const flight = { startedAt, waiters, result };
    this.#flights.set(key, flight);
    return flight;
  }
}

/** Callers that wait for shared work. Its signal is aborted once the last of them has left. */
export class Waiters {
  readonly #controller = new AbortController();
  readonly #waiting = new Set<AbortSignal>();
  #hasPermanent = false;

  /** @param signals of the first callers; see {@link join} */
  constructor(signals: Iterable<AbortSignal | undefined>) {
    for (const signal of signals) this.join(signal);
    this.#endIfAlone();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @param signal aborted when the caller leaves; undefined for one that stays to the end */
  join(signal: AbortSignal | undefined): void {
    if (signal === undefined) this.#hasPermanent = true;
    else if (!signal.aborted && !this.#waiting.has(signal)) {
      this.#waiting.add(signal);
      signal.addEventListener("abort", this.#onAbort);
    }
  }

  /** Removes the listeners of work that has ended. */
  release(): void {
    for (const signal of this.#waiting) signal.removeEventListener("abort", this.#onAbort);
    this.#waiting.clear();
  }

  readonly #onAbort = ({ target }: Event): void => {
    if (target instanceof AbortSignal) this.#waiting.delete(target);
    this.#endIfAlone();
  };

  #endIfAlone(): void {
    if (this.#waiting.size === 0 && !this.#hasPermanent) this.#controller.abort(abandoned);
  }
}

/** Made once, since making the default reason takes a stack trace. */
const abandoned = new Error("no caller waits any more");
