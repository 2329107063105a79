import { ReindexPhase } from "@storefront/contracts/search/v1/search_index_service";
import { reindex } from "../indexing/reindex.ts";
import type { ReindexDependencies, ReindexProgress } from "../indexing/reindex.ts";
import type { SearchIndexHandlers } from "./handlers.ts";

const phases: Readonly<Record<ReindexProgress["phase"], ReindexPhase>> = {
  building: ReindexPhase.BUILDING,
  catchingUp: ReindexPhase.CATCHING_UP,
  done: ReindexPhase.DONE,
};

export function reindexHandler(deps: ReindexDependencies): SearchIndexHandlers["reindex"] {
  return async function* progress(_request, { signal }) {
    await deps.configuration.claim();
    for await (const { phase, indexedCount } of reindex(deps, signal)) {
      yield { phase: phases[phase], indexedCount: BigInt(indexedCount) };
    }
  };
}
