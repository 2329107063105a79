import type { Metrics } from "./create-metrics.ts";
import { reportGauge } from "./report-samples.ts";
import type { Sample } from "./report-samples.ts";

/** Where the follower of a feed stands. Never NaN. */
export interface FeedState {
  /** Whether it reads the feed. While it does not, the lag is what is known of it; see below. */
  isConnected: boolean;
  /** Sequence of the last entry that it has applied; 0 before the first. */
  position: number;
  /** Entries not applied yet, at most: sequences have gaps. As last heard while it is not connected. */
  lagEntries: number;
  /**
   * Age of the oldest entry not applied yet, at most; 0 when none is missing. While it is not
   * connected: how long ago it last knew that none was.
   */
  lagSeconds: number;
}

/** Reports the followers of a process, by the names of their feeds. */
export function reportFeeds(
  metrics: Metrics,
  read: () => Iterable<readonly [feed: string, state: FeedState]>,
): void {
  const report = (name: string, help: string, value: (state: FeedState) => number) =>
    reportGauge(metrics, { name, help, labelNames: ["feed"] }, () =>
      [...read()].map(([feed, state]): Sample<"feed"> => [{ feed }, value(state)]),
    );
  report("feed_connected", "Whether a followed feed is being read.", (state) =>
    state.isConnected ? 1 : 0,
  );
  report(
    "feed_position",
    "Sequence of the last entry of a followed feed that was applied.",
    (state) => state.position,
  );
  report(
    "feed_lag_entries",
    "Entries of a followed feed not applied yet, at most.",
    (state) => state.lagEntries,
  );
  report(
    "feed_lag_seconds",
    "Age of the oldest entry of a followed feed not applied yet; while not connected, time since none was missing.",
    (state) => state.lagSeconds,
  );
}
