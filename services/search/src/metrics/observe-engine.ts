import { durationBucketsSeconds, Histogram } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { OwnEmbedding, SearchEngine } from "../engine/search-engine.ts";

type Time = <Result>(operation: string, work: () => Promise<Result>) => Promise<Result>;

/** The same engine, whose calls are counted and timed by operation. One per registry. */
export function observeEngine(engine: SearchEngine, metrics: Metrics): SearchEngine {
  const durations = new Histogram({
    name: "search_engine_duration_seconds",
    help: "Time that calls of the search engine take, by operation and outcome.",
    labelNames: ["engine", "operation", "outcome"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  const time: Time = async (operation, work) => {
    const startedAt = performance.now();
    let outcome = "error";
    try {
      const result = await work();
      outcome = "ok";
      return result;
    } finally {
      const seconds = (performance.now() - startedAt) / 1000;
      durations.observe({ engine: engine.name, operation, outcome }, seconds);
    }
  };
  return {
    name: engine.name,
    isInDatabase: engine.isInDatabase,
    ownEmbedding: engine.ownEmbedding && observeEmbedding(engine.ownEmbedding, time),
    probe: () => time("probe", () => engine.probe()),
    close: () => engine.close(),
    createGeneration: (generation, options) =>
      time("createGeneration", () => engine.createGeneration(generation, options)),
    write: (tx, generation, writes) => time("write", () => engine.write(tx, generation, writes)),
    indexVectors: (generation, set, signal) =>
      time("indexVectors", () => engine.indexVectors(generation, set, signal)),
    finishBuilding: (generation, signal) =>
      time("finishBuilding", () => engine.finishBuilding(generation, signal)),
    activate: (tx, generation) => time("activate", () => engine.activate(tx, generation)),
    liveGeneration: () => time("liveGeneration", () => engine.liveGeneration()),
    dropGeneration: (generation) => time("dropGeneration", () => engine.dropGeneration(generation)),
    searchOffers: (search) => time("searchOffers", () => engine.searchOffers(search)),
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
