import { ConfigError } from "@storefront/config";
import type { EmbedderConfig } from "../embedder/create-embedder.ts";
import type { SearchEngine } from "./search-engine.ts";
import { createTypesenseEngine } from "./typesense/create-typesense-engine.ts";

/** The settings that say which engine is used, and with which embedding. */
export interface EngineConfig extends EmbedderConfig {
  readonly TYPESENSE_URL?: string | undefined;
  readonly TYPESENSE_API_KEY?: string | undefined;
}

/**
 * The engine outside of the database that the environment names.
 *
 * @returns undefined when it names none.
 * @throws ConfigError when a server is named without its key, or is to embed but is not named.
 */
export function createExternalEngine(config: EngineConfig): SearchEngine | undefined {
  const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey, EMBEDDER } = config;
  if (url === undefined) {
    if (EMBEDDER === "typesense") throw missing("TYPESENSE_URL", "EMBEDDER=typesense");
    return undefined;
  }
  if (apiKey === undefined) throw missing("TYPESENSE_API_KEY", "TYPESENSE_URL");
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

function missing(variable: string, without: string): ConfigError {
  return new ConfigError(`Wrong configuration: ${variable} is required with ${without}.`, [
    variable,
  ]);
}
