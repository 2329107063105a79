/** How long a service counts as away after it last failed to answer. */
const memoryMs = 2000;

/** Services that have just failed to answer. Times are on the clock of `performance.now()`. */
export class Outages {
  readonly #awayUntil = new Map<string, number>();

  /** These have failed to answer. */
  note(services: Iterable<string>): void {
    const until = performance.now() + memoryMs;
    for (const service of services) this.#awayUntil.set(service, until);
  }

  /** This one has answered. */
  end(service: string): void {
    this.#awayUntil.delete(service);
  }

  /** Whether it is away, as far as is known. */
  has(service: string): boolean {
    return performance.now() < (this.#awayUntil.get(service) ?? 0);
  }
}
