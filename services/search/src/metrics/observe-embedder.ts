import { durationBucketsSeconds, Histogram } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { Embedder } from "../embedder/embedder.ts";

/** The same embedder, whose calls are counted and timed by operation. One per registry. */
export function observeEmbedder(embedder: Embedder, metrics: Metrics): Embedder {
  const durations = new Histogram({
    name: "search_embedder_duration_seconds",
    help: "Time that calls of the embedder take, by operation and outcome.",
    labelNames: ["operation", "outcome"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  const time = async <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    let outcome = "error";
    try {
      const result = await work();
      outcome = "ok";
      return result;
    } finally {
      durations.observe({ operation, outcome }, (performance.now() - startedAt) / 1000);
    }
  };
  const train = embedder.train?.bind(embedder);
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    batchSize: embedder.batchSize,
    ...(train !== undefined && {
      train: (offers) => time("train", () => train(offers)),
    }),
    embedQueries: (texts, context) =>
      time("embedQueries", () => embedder.embedQueries(texts, context)),
    embedOffers: (offers, context) =>
      time("embedOffers", () => embedder.embedOffers(offers, context)),
  };
}
