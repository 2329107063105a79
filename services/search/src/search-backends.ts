import type { SearchSettings } from "./config.ts";
import { createBuiltinEmbedder } from "./embedder/builtin/create-builtin-embedder.ts";
import type { Embedder } from "./embedder/embedder.ts";
import { createOpenaiEmbedder } from "./embedder/openai/create-openai-embedder.ts";
import type { SearchEngine } from "./engine/search-engine.ts";
import { createTypesenseEngine } from "./engine/typesense/create-typesense-engine.ts";

/** What the search is made with, as its settings say. */
export interface SearchBackends {
  /** Default: the postgres engine in the service's own database. Closed with the service. */
  engine?: SearchEngine;
  /** Default none: searching by meaning is refused, unless the engine embeds by itself. */
  embedder?: Embedder;
}

/** Makes the engine and the embedder that the settings ask for. */
export function searchBackendsOf(settings: SearchSettings): SearchBackends {
  const engine = engineOf(settings);
  const embedder = embedderOf(settings);
  return {
    ...(engine === undefined ? {} : { engine }),
    ...(embedder === undefined ? {} : { embedder }),
  };
}

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
