import { createBuiltinEmbedder } from "./builtin/create-builtin-embedder.ts";
import type { Embedder } from "./embedder.ts";
import { createOpenaiEmbedder } from "./openai/create-openai-embedder.ts";

/** The settings that say which embedder is used. */
export interface EmbedderConfig {
  readonly EMBEDDER: "builtin" | "openai" | "typesense" | "none";
  readonly EMBEDDING_URL?: string | undefined;
  readonly EMBEDDING_API_KEY?: string | undefined;
  readonly EMBEDDING_MODEL?: string | undefined;
  readonly EMBEDDING_DIMENSIONS: number;
}

/** The embedder that the settings ask for; undefined for none, and for the engine's own. */
export function createEmbedder(config: EmbedderConfig): Embedder | undefined {
  switch (config.EMBEDDER) {
    case "builtin":
      return createBuiltinEmbedder();
    case "openai":
      return createOpenaiEmbedder({
        url: config.EMBEDDING_URL ?? "https://api.openai.com",
        apiKey: config.EMBEDDING_API_KEY,
        model: config.EMBEDDING_MODEL ?? "text-embedding-3-small",
        dimensions: config.EMBEDDING_DIMENSIONS,
      });
    case "typesense":
    case "none":
      return undefined;
    default:
      return config.EMBEDDER satisfies never;
  }
}
