import type { SearchSettings } from "./config.ts";
import { createEmbedder } from "./embedder/create-embedder.ts";
import type { Embedder } from "./embedder/embedder.ts";
import { createExternalEngine } from "./engine/create-external-engine.ts";
import type { SearchEngine } from "./engine/search-engine.ts";

/** What the search is made with, as its settings say; a member left out has the service's default. */
export interface SearchBackends {
  engine?: SearchEngine;
  embedder?: Embedder;
}

/** Makes the engine and the embedder that the settings ask for. */
export function searchBackendsOf(settings: SearchSettings): SearchBackends {
  const engine = createExternalEngine(settings);
  const embedder = createEmbedder(settings);
  return {
    ...(engine === undefined ? {} : { engine }),
    ...(embedder === undefined ? {} : { embedder }),
  };
}
