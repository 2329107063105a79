import { createBuiltinEmbedder } from "./builtin/create-builtin-embedder.ts";
import type { Embedder } from "./embedder.ts";
import { createOpenaiEmbedder } from "./openai/create-openai-embedder.ts";

/** The settings that say which embedder is used. */
export interface EmbedderConfig {
  readonly EMBEDDER: "builtin" | "openai" | "none";
  readonly EMBEDDING_URL: string;
  readonly EMBEDDING_API_KEY?: string | undefined;
  readonly EMBEDDING_MODEL: string;
  readonly EMBEDDING_DIMENSIONS: number;
}

/** The embedder that the settings ask for; undefined for none. */
export function createEmbedder(config: EmbedderConfig): Embedder | undefined {
  switch (config.EMBEDDER) {
    case "builtin":
      return createBuiltinEmbedder();
    case "openai":
      return createOpenaiEmbedder({
        url: config.EMBEDDING_URL,
        apiKey: config.EMBEDDING_API_KEY,
        model: config.EMBEDDING_MODEL,
        dimensions: config.EMBEDDING_DIMENSIONS,
      });
    case "none":
      return undefined;
    default:
      return config.EMBEDDER satisfies never;
  }
}
