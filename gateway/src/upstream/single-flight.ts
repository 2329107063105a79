import { Waiters, settledWithin } from "@storefront/call-scope";
import { tookTooLong } from "../errors/public-error.ts";
import type { CallScope } from "./call-scope.ts";

/** How long work is waited for, or may take. */
export type CallLimits = Pick<CallScope, "signal" | "deadlineAt">;

interface Flight<Result> {
  readonly startedAt: number;
  readonly waiters: Waiters;
  readonly result: Promise<Result>;
}

/** Work by key, done once for all who ask for it within some time. */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Flight<Result>>();
  readonly #joinableMs: number;

  /** @param joinableMs how long after its beginning work is joined; who asks later begins it again */
  constructor(joinableMs: number) {
    this.#joinableMs = joinableMs;
  }

  /**
   * Joins the work under way for the key, or begins it. Fails as the work fails, for all who wait.
   *
   * @param waiting the limits of the one who asks; without a signal it stays until its deadline
   * @param work its signal is aborted once all who asked have left, and its deadline is the latest that
   * one who joins may have
   * @throws GATEWAY_TIMEOUT at the deadline of the one who asks
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
      // A newer one may have taken its place.
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    const flight = { startedAt, waiters, result };
    this.#flights.set(key, flight);
    return flight;
  }
}
