/** Work by key, each done once at a time, however many wait for it. */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Promise<Result>>();

  /** Joins the work under way for the key, or starts it. Fails as the work fails, for all who wait. */
  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const current = this.#flights.get(key);
    if (current !== undefined) return current;
    const flight = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }
}
