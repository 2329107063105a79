import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";

export { Counter, Gauge, Histogram } from "prom-client";

/** The metrics of one process: the registry that `/metrics` prints. */
export type Metrics = Registry;

/** Options of a registry of metrics. */
export interface MetricsOptions {
  /** Label `service` on every sample. */
  service: string;
  /** Whether to collect memory, CPU, event-loop and garbage-collection metrics of the process; default false. */
  processMetrics?: boolean;
}

/** A registry of its own, so that several services in one process do not mix their samples. */
export function createMetrics({ service, processMetrics = false }: MetricsOptions): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (processMetrics) collectDefaultMetrics({ register: registry });
  return registry;
}

/** Seconds; from the cost of a pass-through read to the longest deadline. */
export const durationBucketsSeconds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Labels of a sample and its value. */
export type Sample<Label extends string> = readonly [
  labels: Partial<Record<Label, string>>,
  value: number,
];

/** Name and meaning of a metric. */
export interface ReportedMetric<Label extends string> {
  name: string;
  /** One sentence. */
  help: string;
  /** Default none. */
  labelNames?: readonly Label[];
}

/** Returns all samples of a metric. */
export type ReadSamples<Label extends string> = () =>
  | Iterable<Sample<Label>>
  | Promise<Iterable<Sample<Label>>>;

/** A gauge whose samples are read for each request of the page; missing ones are removed. */
export function reportGauge<Label extends string = never>(
  metrics: Metrics,
  { name, help, labelNames = [] }: ReportedMetric<Label>,
  read: ReadSamples<Label>,
): void {
  void new Gauge<Label>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [metrics],
    async collect() {
      const samples = await read();
      this.reset();
      // Removes the 0 of a gauge without labels, whose value may be unknown.
      this.remove({});
      for (const [labels, value] of samples) this.set(labels, value);
    },
  });
}

/**
 * A counter over a number elsewhere, which adds no cost to a hot path; read for each request of the
 * page.
 */
export function reportCounter<Label extends string = never>(
  metrics: Metrics,
  { name, help, labelNames = [] }: ReportedMetric<Label>,
  read: () => Iterable<Sample<Label>>,
): void {
  void new Counter<Label>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [labels, value] of read()) this.inc(labels, value);
    },
  });
}

/** State of the follower of a feed. Never NaN. */
export interface FeedState {
  /** Whether it reads the feed. While it does not, the lag is the last known one; see below. */
  isConnected: boolean;
  /** Sequence of the last entry that it has applied; 0 before the first. */
  position: number;
  /** Upper bound of entries not applied: sequences have gaps. The last known one while it is not connected. */
  lagEntries: number;
  /**
   * Upper bound of the age of the oldest entry not applied; 0 when none is missing. While it is not
   * connected: time since none was known to be missing.
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
