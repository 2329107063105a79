import type { ReindexControl } from "../indexing/reindex-control.ts";
import type { SearchIndexHandlers } from "./handlers.ts";
import { reindexMessage } from "./reindex-message.ts";

export function cancelReindex(deps: {
  reindexes: ReindexControl;
}): SearchIndexHandlers["cancelReindex"] {
  return async () => {
    const job = await deps.reindexes.cancel();
    return job === undefined ? {} : { job: reindexMessage(job) };
  };
}
