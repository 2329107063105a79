import { Waiters } from "@storefront/call-scope";

interface Flight<Result> {
  result: Promise<Result>;
  waiters: Waiters;
}

/** Work by key, each done once at a time, however many wait for it. */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Flight<Result>>();

  /**
   * Joins the work under way for the key, or starts it. Fails as the work fails, for all who wait.
   *
   * @param signal aborted when the one who asks leaves; undefined for one who stays to the end
   * @param work its signal is aborted once all who asked have left
   */
  run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const current = this.#flights.get(key);
    if (current?.waiters.signal.aborted === false) {
      current.waiters.join(signal);
      return current.result;
    }
    const waiters = new Waiters([signal]);
    const result = work(waiters.signal).finally(() => {
      waiters.release();
      // Another one may have been started when nobody waited for this one.
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    const flight = { result, waiters };
    this.#flights.set(key, flight);
    return result;
  }
}
