import { Counter, Gauge } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { Lag } from "./feed-lag.ts";

const labelNames = ["feed"] as const;

/** Metrics of the followers of a process, by feed. One per registry. */
export class FeedMetrics {
  readonly #lags = new Map<string, () => Lag | undefined>();
  readonly #applied: Counter<"feed">;

  constructor(metrics: Metrics) {
    this.#applied = new Counter({
      name: "feed_entries_applied_total",
      help: "Entries of a followed feed that this process applied.",
      labelNames,
      registers: [metrics],
    });
    this.#gauge(metrics, "feed_lag_entries", "Entries of a followed feed not applied yet.", (lag) =>
      Number(lag.lagEntries),
    );
    this.#gauge(
      metrics,
      "feed_lag_seconds",
      "Age of the oldest entry of a followed feed not applied yet.",
      (lag) => lag.lagSeconds,
    );
  }

  /** Reports a follower from now on; NaN stands for a feed that is not connected. */
  add(feed: string, lag: () => Lag | undefined): void {
    this.#lags.set(feed, lag);
  }

  countApplied(feed: string, entries: number): void {
    this.#applied.inc({ feed }, entries);
  }

  #gauge(metrics: Metrics, name: string, help: string, value: (lag: Lag) => number): void {
    const lags = this.#lags;
    // The gauge reports itself: the registry holds it.
    void new Gauge({
      name,
      help,
      labelNames,
      registers: [metrics],
      collect() {
        for (const [feed, current] of lags) {
          const lag = current();
          this.set({ feed }, lag === undefined ? Number.NaN : value(lag));
        }
      },
    });
  }
}
