import type { RebuildIndex } from "@storefront/change-feed";
import { reindex } from "../indexing/reindex.ts";
import type { ReindexDependencies } from "../indexing/reindex.ts";

/** Builds the index that this process asks for, beside the one that answers. */
export function rebuildIndex(deps: ReindexDependencies): RebuildIndex {
  return async function* progress(signal) {
    await deps.configuration.claim();
    for await (const { indexedCount } of reindex(deps, signal)) yield indexedCount;
  };
}
