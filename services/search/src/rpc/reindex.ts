import type { ReindexControl } from "../indexing/reindex-control.ts";
import type { SearchIndexHandlers } from "./handlers.ts";
import { reindexMessage } from "./reindex-message.ts";

export function reindex(deps: { reindexes: ReindexControl }): SearchIndexHandlers["reindex"] {
  return async function* progress({ startedBy }, { signal }) {
    for await (const job of deps.reindexes.run(startedBy || "a call", signal)) {
      const message = reindexMessage(job);
      yield { phase: message.phase, indexedCount: message.indexedCount, job: message };
    }
  };
}
