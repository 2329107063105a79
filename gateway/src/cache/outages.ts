import { unwatchedMs } from "./stored-response.ts";

/** How long a service counts as unavailable after a failure. */
const memoryMs = 2000;

/** Interval of attempts meanwhile. */
const tryIntervalMs = 500;

interface Outage {
  until: number;
  /** Whether the service has responded since. */
  isReturning: boolean;
  nextTryAt: number;
}

/** Services that failed just now. Times are on the clock of `performance.now()`. */
export class Outages {
  readonly #outages = new Map<string, Outage>();

  /** These services have failed. */
  note(services: Iterable<string>): void {
    const now = performance.now();
    for (const service of services) {
      const nextTryAt = this.#outages.get(service)?.nextTryAt ?? now;
      this.#outages.set(service, { until: now + memoryMs, isReturning: false, nextTryAt });
    }
  }

  /** The service has responded, and its feed is live. */
  end(service: string): void {
    this.#outages.delete(service);
  }

  /**
   * The service has responded, but its feed is not live. For a moment more stored responses are served: until the feed
   * says what was written meanwhile, each would have to be made again.
   *
   * @returns whether it was unavailable until now
   */
  beginReturn(service: string): boolean {
    const outage = this.#outages.get(service);
    if (outage === undefined || outage.isReturning || !this.has(service)) return false;
    outage.isReturning = true;
    outage.until = Math.min(outage.until, performance.now() + unwatchedMs);
    return true;
  }

  /** Whether the service counts as unavailable. */
  has(service: string): boolean {
    return performance.now() < (this.#outages.get(service)?.until ?? 0);
  }

  /**
   * Whether to renew a response of these services now: while one of them is unavailable, a single response is tried twice
   * a second, for all that are made of it. The service counts as unavailable until that attempt succeeds.
   */
  mayTry(services: readonly string[]): boolean {
    const now = performance.now();
    const known = services.flatMap((service) => this.#outages.get(service) ?? []);
    const current = known.filter(({ until }) => now < until);
    if (current.some(({ isReturning, nextTryAt }) => isReturning || now < nextTryAt)) return false;
    for (const outage of current) {
      outage.nextTryAt = now + tryIntervalMs;
      outage.until = now + memoryMs;
    }
    return true;
  }
}
