import type { EmbedderConfig } from "../embedder/create-embedder.ts";
import type { SearchEngine } from "./search-engine.ts";
import { createTypesenseEngine } from "./typesense/create-typesense-engine.ts";

/** The settings that say which engine is used, and with which embedding. */
export interface EngineConfig extends EmbedderConfig {
  readonly TYPESENSE_URL?: string | undefined;
  readonly TYPESENSE_API_KEY?: string | undefined;
}

/**
 * The engine outside of the database that the settings name, with its key.
 *
 * @returns undefined when they name none.
 */
export function createExternalEngine(config: EngineConfig): SearchEngine | undefined {
  const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey, EMBEDDER } = config;
  if (url === undefined || apiKey === undefined) return undefined;
  return createTypesenseEngine({
    url,
    apiKey,
    model:
      EMBEDDER === "typesense"
        ? {
            name: config.EMBEDDING_MODEL ?? "ts/e5-small",
            apiKey: config.EMBEDDING_API_KEY,
            url: config.EMBEDDING_URL,
          }
        : undefined,
  });
}
