import { isRequiredWith, zInteger, zUrl, zUrls } from "@storefront/process";
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

/** The search's own variables. */
const searchShape = {
  /** A Typesense server, 28 or newer, to search with; default the database itself. */
  TYPESENSE_URL: zUrl.optional(),
  /** Instead of it the nodes of a cluster. */
  TYPESENSE_URLS: zUrls.optional(),
  /** A key that may do anything with collections and aliases, and make keys unless one for searches is given. */
  TYPESENSE_API_KEY: zText.optional(),
  /** For searches; default one that the service makes. */
  TYPESENSE_SEARCH_API_KEY: zText.optional(),
  /** What makes vectors for searches by meaning; `typesense` is that server itself. */
  EMBEDDER: z
    .enum(["builtin", "openai", "typesense", "none"], "must be builtin, openai, typesense or none")
    .default("builtin"),
  /**
   * An endpoint like OpenAI's, without `/v1/embeddings`. With EMBEDDER=openai default OpenAI itself;
   * with EMBEDDER=typesense it is for models `openai/…` that are not OpenAI's.
   */
  EMBEDDING_URL: zUrl.optional(),
  EMBEDDING_API_KEY: zText.optional(),
  /** Default `text-embedding-3-small`, of Typesense `ts/e5-small`. */
  EMBEDDING_MODEL: zText.optional(),
  /** Of the model's vectors, with EMBEDDER=openai; another number rebuilds the index. */
  EMBEDDING_DIMENSIONS: zInteger(1, 9999).default(1536),
};

const zSearch = z.object(searchShape);

/** What the search's own variables say. */
type SearchSettings = z.output<typeof zSearch>;

const hasTypesense = (given: Environment) =>
  given["TYPESENSE_URL"] !== undefined || given["TYPESENSE_URLS"] !== undefined;

const needsTypesense = (variable: string): EnvironmentRule => {
  return (given) =>
    given[variable] !== undefined && !hasTypesense(given)
      ? { variable, rule: "has no effect without TYPESENSE_URL or TYPESENSE_URLS" }
      : undefined;
};

const takesModel = new Set(["openai", "typesense"]);

const needsModel = (variable: string): EnvironmentRule => {
  return (given) =>
    given[variable] !== undefined && !takesModel.has(given["EMBEDDER"] ?? "builtin")
      ? { variable, rule: "has no effect without EMBEDDER=openai or EMBEDDER=typesense" }
      : undefined;
};

/** What holds between the search's variables. */
const searchRules: readonly EnvironmentRule[] = [
  isRequiredWith("TYPESENSE_API_KEY", "TYPESENSE_URL"),
  isRequiredWith("TYPESENSE_API_KEY", "TYPESENSE_URLS"),
  needsTypesense("TYPESENSE_API_KEY"),
  needsTypesense("TYPESENSE_SEARCH_API_KEY"),
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
  indexes: true,
  create: (dependencies, settings) =>
    createSearchService({
      ...dependencies,
      engine: engineOf(settings),
      embedder: embedderOf(settings),
    }),
});

/** Undefined for the service's own, in its database. */
function engineOf(settings: SearchSettings): SearchEngine | undefined {
  const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey, TYPESENSE_SEARCH_API_KEY } = settings;
  const urls = settings.TYPESENSE_URLS ?? (url === undefined ? [] : [url]);
  if (urls.length === 0 || apiKey === undefined) return undefined;
  const model = {
    name: settings.EMBEDDING_MODEL ?? "ts/e5-small",
    apiKey: settings.EMBEDDING_API_KEY,
    url: settings.EMBEDDING_URL,
  };
  const isEmbedding = settings.EMBEDDER === "typesense";
  return createTypesenseEngine({
    urls,
    apiKey,
    searchApiKey: TYPESENSE_SEARCH_API_KEY,
    model: isEmbedding ? model : undefined,
  });
}

/** Undefined for none, and for the engine's own. */
function embedderOf(settings: SearchSettings): Embedder | undefined {
  switch (settings.EMBEDDER) {
    case "builtin":
      return createBuiltinEmbedder();
    case "openai":
      return createOpenaiEmbedder({
        url: settings.EMBEDDING_URL ?? "https://api.openai.com",
        apiKey: settings.EMBEDDING_API_KEY,
        model: settings.EMBEDDING_MODEL ?? "text-embedding-3-small",
        dimensions: settings.EMBEDDING_DIMENSIONS,
      });
    case "typesense":
    case "none":
      return undefined;
    default:
      return settings.EMBEDDER satisfies never;
  }
}
