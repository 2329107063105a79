import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { Counter, durationBucketsSeconds, Histogram } from "@storefront/process";
import type { Metrics } from "@storefront/process";

const outcomeNames = new Map<IngestOutcome, string>([
  [IngestOutcome.WRITTEN, "written"],
  [IngestOutcome.UNCHANGED, "unchanged"],
  [IngestOutcome.STALE, "stale"],
  [IngestOutcome.REJECTED, "rejected"],
]);

/** Kind of an observation without a record. */
const noKind = "none";

/** Metrics of ingestion. One per registry. */
export class IngestMetrics {
  readonly #observations: Counter<"kind" | "outcome">;
  readonly #batches: Histogram;

  /** @param kinds names of the service's kinds, whose counters start at 0. */
  constructor(metrics: Metrics, kinds: readonly string[]) {
    this.#observations = new Counter({
      name: "ingest_observations_total",
      help: "Observations of batches with a response, by the kind of their record and outcome.",
      labelNames: ["kind", "outcome"],
      registers: [metrics],
    });
    this.#batches = new Histogram({
      name: "ingest_batch_duration_seconds",
      help: "Time that applying a batch takes, its transaction included; also of those that fail.",
      buckets: durationBucketsSeconds,
      registers: [metrics],
    });
    for (const kind of kinds) {
      for (const outcome of outcomeNames.values()) this.#observations.inc({ kind, outcome }, 0);
    }
  }

  /** Applies a batch and measures its duration; `kinds` are those of its observations. */
  async observe<Result extends { readonly outcomes: readonly IngestOutcome[] }>(
    kinds: readonly (string | undefined)[],
    apply: () => Promise<Result>,
  ): Promise<Result> {
    const startedAt = performance.now();
    try {
      const result = await apply();
      for (const [index, outcome] of result.outcomes.entries()) {
        const name = outcomeNames.get(outcome);
        if (name !== undefined) {
          this.#observations.inc({ kind: kinds[index] ?? noKind, outcome: name });
        }
      }
      return result;
    } finally {
      this.#batches.observe((performance.now() - startedAt) / 1000);
    }
  }
}
