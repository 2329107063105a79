import { durationBucketsSeconds, Histogram } from "@storefront/process";
import type { Metrics } from "@storefront/process";
import type { Embedder } from "../embedder/embedder.ts";
import type { OwnEmbedding, SearchEngine } from "../engine/search-engine.ts";

/** Times an operation by name and outcome. */
type Time = <Result>(operation: string, work: () => Promise<Result>) => Promise<Result>;

function timer(
  metrics: Metrics,
  { name, help, labels }: { name: string; help: string; labels: Readonly<Record<string, string>> },
): Time {
  const labelNames = [...Object.keys(labels), "operation", "outcome"];
  const buckets = durationBucketsSeconds;
  const durations = new Histogram({ name, help, labelNames, buckets, registers: [metrics] });
  return async (operation, work) => {
    const startedAtMs = performance.now();
    let outcome = "error";
    try {
      const result = await work();
      outcome = "ok";
      return result;
    } finally {
      const seconds = (performance.now() - startedAtMs) / 1_000;
      durations.observe({ ...labels, operation, outcome }, seconds);
    }
  };
}

/** Wraps an engine to count and time its calls by operation. One per registry. */
export function observeEngine(engine: SearchEngine, metrics: Metrics): SearchEngine {
  const time = timer(metrics, {
    name: "search_engine_duration_seconds",
    help: "Time that calls of the search engine take, by operation and outcome.",
    labels: { engine: engine.name },
  });
  return {
    name: engine.name,
    isInDatabase: engine.isInDatabase,
    ownEmbedding: engine.ownEmbedding && observeEmbedding(engine.ownEmbedding, time),
    storesVectors: () => engine.storesVectors(),
    probe: () => time("probe", () => engine.probe()),
    close: () => engine.close(),
    createGeneration: (generation, options) =>
      time("createGeneration", () => engine.createGeneration(generation, options)),
    write: (tx, generation, writes, signal) =>
      time("write", () => engine.write(tx, generation, writes, signal)),
    indexVectors: (generation, set, signal) =>
      time("indexVectors", () => engine.indexVectors(generation, set, signal)),
    finishBuilding: (generation, signal) =>
      time("finishBuilding", () => engine.finishBuilding(generation, signal)),
    activate: (tx, generation) => time("activate", () => engine.activate(tx, generation)),
    liveGeneration: () => time("liveGeneration", () => engine.liveGeneration()),
    dropGeneration: (generation) => time("dropGeneration", () => engine.dropGeneration(generation)),
    searchOffers: (search) => time("searchOffers", () => engine.searchOffers(search)),
    listOffers: (listing) => time("listOffers", () => engine.listOffers(listing)),
    countFacets: (search) => time("countFacets", () => engine.countFacets(search)),
    searchEntries: (search) => time("searchEntries", () => engine.searchEntries(search)),
    searchByMeaning: (search) => time("searchByMeaning", () => engine.searchByMeaning(search)),
  };
}

function observeEmbedding(embedding: OwnEmbedding, time: Time): OwnEmbedding {
  return {
    model: embedding.model,
    embedOffers: (generation, offers) =>
      time("embedOffers", () => embedding.embedOffers(generation, offers)),
    searchByMeaning: (search) => time("searchByMeaning", () => embedding.searchByMeaning(search)),
  };
}

/** Wraps an embedder to count and time its calls by operation. One per registry. */
export function observeEmbedder(embedder: Embedder, metrics: Metrics): Embedder {
  const time = timer(metrics, {
    name: "search_embedder_duration_seconds",
    help: "Time that calls of the embedder take, by operation and outcome.",
    labels: {},
  });
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
