import type { ReindexControl } from "../indexing/reindex-control.ts";
import type { SearchIndexHandlers } from "./handlers.ts";
import { reindexMessage } from "./reindex-message.ts";

export function cancelReindex(control: ReindexControl): SearchIndexHandlers["cancelReindex"] {
  return async () => {
    const job = await control.cancel();
    return job === undefined ? {} : { job: reindexMessage(job) };
  };
}
