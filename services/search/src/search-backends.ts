import type { z } from "zod";
import type { zSearchEnvironment } from "./config.ts";
import { createEmbedder } from "./embedder/create-embedder.ts";
import type { Embedder } from "./embedder/embedder.ts";
import { createExternalEngine } from "./engine/create-external-engine.ts";
import type { SearchEngine } from "./engine/search-engine.ts";

/** What the search is made with, as its settings say; a member left out has the service's default. */
export interface SearchBackends {
  engine?: SearchEngine;
  embedder?: Embedder;
}

/** Settings that choose the backends; a stack in one process takes these from its environment. */
export const searchBackendVariables = {
  TYPESENSE_URL: true,
  TYPESENSE_API_KEY: true,
  EMBEDDER: true,
  EMBEDDING_URL: true,
  EMBEDDING_API_KEY: true,
  EMBEDDING_MODEL: true,
  EMBEDDING_DIMENSIONS: true,
} as const;

/**
 * Makes the engine and the embedder that the settings ask for.
 *
 * @throws ConfigError when they contradict each other.
 */
export function searchBackendsOf(
  config: Pick<z.output<typeof zSearchEnvironment>, keyof typeof searchBackendVariables>,
): SearchBackends {
  const engine = createExternalEngine(config);
  const embedder = createEmbedder(config);
  return {
    ...(engine === undefined ? {} : { engine }),
    ...(embedder === undefined ? {} : { embedder }),
  };
}
