import { Counter, reportFeeds, reportGauge } from "@storefront/process";
import type { FeedState, Metrics } from "@storefront/process";

/**
 * Reasons to resynchronise: the log cannot be followed from the cursor, an earlier release stored less than
 * this one, or an operator requested it (`asked`).
 */
const resynchronisationReasons = ["diverged", "pruned", "incomplete", "asked"] as const;

export type ResynchronisationReason = (typeof resynchronisationReasons)[number];

/** State of a follower with a durable cursor. */
interface FollowerState extends FeedState {
  /** Whether this process applies the feed; else it is on stand-by. */
  readonly isLeading: boolean;
  readonly quarantined: number;
}

/** Metrics of the followers of a process, by feed. One per registry. */
export class FeedMetrics {
  readonly #states = new Map<string, () => FollowerState>();
  readonly #resynchronising = new Map<string, () => boolean>();
  readonly #applied: Counter<"feed">;
  readonly #resynchronisations: Counter<"feed" | "reason">;

  constructor(metrics: Metrics) {
    this.#applied = new Counter({
      name: "feed_entries_applied_total",
      help: "Entries of a followed feed that this process applied.",
      labelNames: ["feed"],
      registers: [metrics],
    });
    this.#resynchronisations = new Counter({
      name: "feed_resynchronisations_total",
      help: "Times that this process began to resynchronise with a feed, as one that it could not follow any more.",
      labelNames: ["feed", "reason"],
      registers: [metrics],
    });
    reportGauge(
      metrics,
      {
        name: "feed_resynchronising",
        help: "Whether this process resynchronises with a feed, as one that it could not follow any more.",
        labelNames: ["feed"],
      },
      () => [...this.#resynchronising].map(([feed, isRunning]) => [{ feed }, isRunning() ? 1 : 0]),
    );
    reportFeeds(metrics, () => [...this.#states].map(([feed, state]) => [feed, state()]));
    const report = (name: string, help: string, value: (state: FollowerState) => number) =>
      reportGauge(metrics, { name, help, labelNames: ["feed"] }, () =>
        [...this.#states].map(([feed, state]) => [{ feed }, value(state())]),
      );
    report(
      "feed_leading",
      "Whether this process applies a followed feed; one of all replicas does.",
      ({ isLeading }) => (isLeading ? 1 : 0),
    );
    report(
      "feed_quarantined_entries",
      "Entries of a followed feed that could not be applied and were passed over.",
      ({ quarantined }) => quarantined,
    );
  }

  /** Registers a follower. */
  add(feed: string, state: () => FollowerState): void {
    this.#states.set(feed, state);
    this.#applied.inc({ feed }, 0);
  }

  /** Registers the resynchronisation state of a follower. */
  addResynchronisation(feed: string, isRunning: () => boolean): void {
    this.#resynchronising.set(feed, isRunning);
    for (const reason of resynchronisationReasons)
      this.#resynchronisations.inc({ feed, reason }, 0);
  }

  countResynchronisation(feed: string, reason: ResynchronisationReason): void {
    this.#resynchronisations.inc({ feed, reason });
  }

  countApplied(feed: string, entries: number): void {
    this.#applied.inc({ feed }, entries);
  }
}
