import { Counter, reportFeeds } from "@storefront/telemetry";
import type { FeedState, Metrics } from "@storefront/telemetry";

/** Metrics of the followers of a process, by feed. One per registry. */
export class FeedMetrics {
  readonly #states = new Map<string, () => FeedState>();
  readonly #applied: Counter<"feed">;

  constructor(metrics: Metrics) {
    this.#applied = new Counter({
      name: "feed_entries_applied_total",
      help: "Entries of a followed feed that this process applied.",
      labelNames: ["feed"],
      registers: [metrics],
    });
    reportFeeds(metrics, () => [...this.#states].map(([feed, state]) => [feed, state()]));
  }

  /** Reports a follower from now on. */
  add(feed: string, state: () => FeedState): void {
    this.#states.set(feed, state);
    this.#applied.inc({ feed }, 0);
  }

  countApplied(feed: string, entries: number): void {
    this.#applied.inc({ feed }, entries);
  }
}
