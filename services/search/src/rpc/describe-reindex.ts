import type { ReindexControl } from "../indexing/reindex-control.ts";
import type { SearchIndexHandlers } from "./handlers.ts";
import { reindexMessage } from "./reindex-message.ts";

export function describeReindex(deps: {
  reindexes: ReindexControl;
}): SearchIndexHandlers["describeReindex"] {
  return async () => {
    const job = await deps.reindexes.describe();
    return job === undefined ? {} : { job: reindexMessage(job) };
  };
}
