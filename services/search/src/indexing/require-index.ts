import type { SearchEngine } from "../engine/search-engine.ts";
import type { BackgroundLoop } from "./background-loop.ts";

/**
 * Resolves when a generation answers. When none does, whoever keeps the index is told to look.
 *
 * @throws Error before the first one, and when the engine has lost it.
 */
export async function requireIndex(engine: SearchEngine, keeper: BackgroundLoop): Promise<void> {
  if ((await engine.liveGeneration()) !== undefined) return;
  keeper.wake();
  throw new Error("there is no index yet");
}
