/** How long a service counts as away after it last failed to answer. */
const memoryMs = 2000;

/** How often it is tried meanwhile. */
const tryIntervalMs = 500;

/** How long it still counts as away when it has answered but its feed is not followed again. */
const returnMs = 800;

interface Outage {
  until: number;
  /** Whether the service has answered since. */
  isReturning: boolean;
  nextTryAt: number;
}

/** Services that have just failed to answer. Times are on the clock of `performance.now()`. */
export class Outages {
  readonly #outages = new Map<string, Outage>();

  /** These have failed to answer. */
  note(services: Iterable<string>): void {
    const now = performance.now();
    for (const service of services) {
      const nextTryAt = this.#outages.get(service)?.nextTryAt ?? now;
      this.#outages.set(service, { until: now + memoryMs, isReturning: false, nextTryAt });
    }
  }

  /** This one has answered, and its feed is followed. */
  end(service: string): void {
    this.#outages.delete(service);
  }

  /**
   * This one has answered, but its feed is not followed: what was written meanwhile is known in a
   * moment, until when responses stand in, instead of each being made for want of knowing.
   *
   * @returns whether it was away until now
   */
  beginReturn(service: string): boolean {
    const outage = this.#outages.get(service);
    if (outage === undefined || outage.isReturning || !this.has(service)) return false;
    outage.isReturning = true;
    outage.until = Math.min(outage.until, performance.now() + returnMs);
    return true;
  }

  /** Whether it is away, as far as is known. */
  has(service: string): boolean {
    return performance.now() < (this.#outages.get(service)?.until ?? 0);
  }

  /**
   * Whether to try now to make a response of these anew: while one of them is away, a single response
   * tries every half a second, for all that are made of it. What is tried counts as away until it has
   * answered.
   */
  mayTry(services: readonly string[]): boolean {
    const now = performance.now();
    const away = services.flatMap((service) => this.#outages.get(service) ?? []);
    const current = away.filter(({ until }) => now < until);
    if (current.some(({ isReturning, nextTryAt }) => isReturning || now < nextTryAt)) return false;
    for (const outage of current) {
      outage.nextTryAt = now + tryIntervalMs;
      outage.until = now + memoryMs;
    }
    return true;
  }
}
