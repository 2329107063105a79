import type { ReindexControl } from "../indexing/reindex-control.ts";
import type { SearchIndexHandlers } from "./handlers.ts";
import { reindexMessage } from "./reindex-message.ts";

export function describeReindex(control: ReindexControl): SearchIndexHandlers["describeReindex"] {
  return async () => {
    const job = await control.describe();
    return job === undefined ? {} : { job: reindexMessage(job) };
  };
}
