import { listGenerations } from "../store/generation-store.ts";
import type { Logger } from "@storefront/telemetry";
import { reindex } from "./reindex.ts";
import type { ReindexDependencies } from "./reindex.ts";
import { retireOthers } from "./retire-generations.ts";

/**
 * Sees to it that there is a generation that answers, made as this process would make it: ends what
 * a stopped reindex left, and builds a new one where the engine, the format or the embedding model is
 * another. An old one answers until then.
 *
 * @returns false when another one answers, which was asked for later than that of this process.
 */
export async function ensureIndex(
  deps: ReindexDependencies,
  logger: Logger,
  signal: AbortSignal,
): Promise<boolean> {
  const mayBuild = await deps.configuration.refresh();
  const known = await listGenerations(deps.database);
  const live = await deps.engine.liveGeneration();
  const current = known.find(({ number }) => number === live);
  if (current?.signature === deps.signature) {
    // The engine had changed over, but that was not noted any more.
    if (!current.isLive) await retireOthers(deps, current.number);
    return true;
  }
  if (!mayBuild) return false;
  for await (const { phase, indexedCount } of reindex(deps, signal, known)) {
    if (phase === "done") logger.info({ indexedCount }, "a new index answers");
  }
  return true;
}
