import type { RebuildIndex } from "@storefront/change-feed";
import type { ReindexControl } from "../indexing/reindex-control.ts";

/** Builds the index that this process asks for, beside the one that answers. */
export function rebuildIndex(deps: { reindexes: ReindexControl }): RebuildIndex {
  return async function* progress(signal) {
    for await (const { written } of deps.reindexes.run("a rebuild", signal)) yield written;
  };
}
