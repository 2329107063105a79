import type { SearchEngine } from "../engine/search-engine.ts";

/** @throws Error when no generation answers: before the first one, or when the engine has lost it. */
export async function requireIndex(engine: SearchEngine): Promise<void> {
  if ((await engine.liveGeneration()) === undefined) throw new Error("there is no index yet");
}
