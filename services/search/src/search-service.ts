import {
  hasNoEffectWithout,
  isRequiredWith,
  option,
  zInteger,
  zUrl,
  zUrls,
} from "@storefront/process";
import type { Environment, EnvironmentRule } from "@storefront/process";
import { defineService } from "@storefront/service-process";
import { z } from "zod";
import { createSearchService, searchMigrations } from "./create-search-service.ts";
import { createBuiltinEmbedder } from "./embedder/builtin/create-builtin-embedder.ts";
import type { Embedder } from "./embedder/embedder.ts";
import { createOpenaiEmbedder } from "./embedder/openai/create-openai-embedder.ts";
import type { SearchEngine } from "./engine/search-engine.ts";
import { createTypesenseEngine } from "./engine/typesense/create-typesense-engine.ts";

const zText = z.string().min(1, "must not be empty");

/** Environment variables of the search service. */
const searchShape = {
  typesenseUrl: option("TYPESENSE_URL", zUrl.optional(), "none: the database").describe(
    "A Typesense server, 28 or newer, to search with.",
  ),
  typesenseUrls: option("TYPESENSE_URLS", zUrls.optional()).describe(
    "Instead of `TYPESENSE_URL` the nodes of one cluster, separated by commas: a request that fails is sent to the next one.",
  ),
  typesenseApiKey: option("TYPESENSE_API_KEY", zText.optional()).describe(
    "Required with either: a key that may do anything with collections and aliases, and with keys unless `TYPESENSE_SEARCH_API_KEY` is set.",
  ),
  typesenseSearchApiKey: option(
    "TYPESENSE_SEARCH_API_KEY",
    zText.optional(),
    "made by search",
  ).describe(
    "A key for searches that may only search. By default the service makes one; while it cannot it searches with `TYPESENSE_API_KEY`.",
  ),
  embedder: option(
    "EMBEDDER",
    z
      .enum(
        ["builtin", "openai", "typesense", "none"],
        "must be builtin, openai, typesense or none",
      )
      .default("builtin"),
  ).describe(
    "What searches by meaning use: `builtin` (offline, from the catalogue's own words), `openai` (any endpoint like OpenAI's), `typesense` (that server) or `none`. Without Typesense they need [pgvector](operations/sizing.md#sizing) 0.8 or newer.",
  ),
  embeddingUrl: option("EMBEDDING_URL", zUrl.optional(), "OpenAI's").describe(
    "The endpoint of the model, without `/v1/embeddings`; with `EMBEDDER=openai`, or with `typesense` for models `openai/…` that are not OpenAI's.",
  ),
  embeddingApiKey: option("EMBEDDING_API_KEY", zText.optional()).describe(
    "The key of that endpoint.",
  ),
  embeddingModel: option("EMBEDDING_MODEL", zText.optional(), "by embedder").describe(
    "Name of the model: `text-embedding-3-small` by default, of Typesense `ts/e5-small`. Another model rebuilds the index.",
  ),
  embeddingDimensions: option("EMBEDDING_DIMENSIONS", zInteger(1, 9999).default(1536)).describe(
    "Numbers of a vector, with `EMBEDDER=openai`; another number rebuilds the index. pgvector indexes up to 4,000.",
  ),
};

const zSearch = z.object(searchShape);

type SearchSettings = z.output<typeof zSearch>;

const hasTypesense = (given: Environment) =>
  given["TYPESENSE_URL"] !== undefined || given["TYPESENSE_URLS"] !== undefined;

const takesModel = new Set(["openai", "typesense"]);

const needsModel = (variable: string): EnvironmentRule => {
  return (given) =>
    given[variable] !== undefined && !takesModel.has(given["EMBEDDER"] ?? "builtin")
      ? { variable, rule: "has no effect without EMBEDDER=openai or EMBEDDER=typesense" }
      : undefined;
};

/** Rules between these variables. */
const searchRules: readonly EnvironmentRule[] = [
  isRequiredWith("TYPESENSE_API_KEY", "TYPESENSE_URL"),
  isRequiredWith("TYPESENSE_API_KEY", "TYPESENSE_URLS"),
  hasNoEffectWithout("TYPESENSE_API_KEY", "TYPESENSE_URL", "TYPESENSE_URLS"),
  hasNoEffectWithout("TYPESENSE_SEARCH_API_KEY", "TYPESENSE_URL", "TYPESENSE_URLS"),
  (given) =>
    given["TYPESENSE_URL"] !== undefined && given["TYPESENSE_URLS"] !== undefined
      ? { variable: "TYPESENSE_URLS", rule: "must not be set beside TYPESENSE_URL" }
      : undefined,
  (given) =>
    given["EMBEDDER"] === "typesense" && !hasTypesense(given)
      ? { variable: "TYPESENSE_URL", rule: "is required with EMBEDDER=typesense" }
      : undefined,
  needsModel("EMBEDDING_URL"),
  needsModel("EMBEDDING_API_KEY"),
  needsModel("EMBEDDING_MODEL"),
  (given) =>
    given["EMBEDDING_DIMENSIONS"] !== undefined && given["EMBEDDER"] !== "openai"
      ? { variable: "EMBEDDING_DIMENSIONS", rule: "has no effect without EMBEDDER=openai" }
      : undefined,
];

export const searchService = defineService({
  name: "search",
  migrations: searchMigrations,
  shape: searchShape,
  rules: searchRules,
  waitsForImports: true,
  create: (dependencies, settings) =>
    createSearchService({
      ...dependencies,
      engine: engineOf(settings),
      embedder: embedderOf(settings),
    }),
});

/** Undefined for the default engine. */
function engineOf(settings: SearchSettings): SearchEngine | undefined {
  const { typesenseUrl: url, typesenseApiKey: apiKey } = settings;
  const urls = settings.typesenseUrls ?? (url === undefined ? [] : [url]);
  if (urls.length === 0 || apiKey === undefined) return undefined;
  const model = {
    name: settings.embeddingModel ?? "ts/e5-small",
    apiKey: settings.embeddingApiKey,
    url: settings.embeddingUrl,
  };
  const isEmbedding = settings.embedder === "typesense";
  return createTypesenseEngine({
    urls,
    apiKey,
    searchApiKey: settings.typesenseSearchApiKey,
    model: isEmbedding ? model : undefined,
  });
}

/** Undefined for none, and for the engine's own. */
function embedderOf(settings: SearchSettings): Embedder | undefined {
  switch (settings.embedder) {
    case "builtin":
      return createBuiltinEmbedder();
    case "openai":
      return createOpenaiEmbedder({
        url: settings.embeddingUrl ?? "https://api.openai.com",
        apiKey: settings.embeddingApiKey,
        model: settings.embeddingModel ?? "text-embedding-3-small",
        dimensions: settings.embeddingDimensions,
      });
    case "typesense":
    case "none":
      return undefined;
    default:
      return settings.embedder satisfies never;
  }
}
