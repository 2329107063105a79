import { isLongerThan, RequestCheck } from "@storefront/rpc";
import type { ReindexControl } from "../indexing/reindex-control.ts";
import type { SearchIndexHandlers } from "./handlers.ts";
import { reindexMessage } from "./reindex-message.ts";

/** Characters of who asks. */
const maxStartedBy = 200;

export function reindexHandler(control: ReindexControl): SearchIndexHandlers["reindex"] {
  return async function* progress({ startedBy }, { signal }) {
    const check = new RequestCheck();
    check.that(
      "started_by",
      !isLongerThan(startedBy, maxStartedBy) && !startedBy.includes("\0"),
      `must have at most ${maxStartedBy} characters, none of them NUL`,
    );
    check.done();
    for await (const job of control.run(startedBy || "a call", signal)) {
      const message = reindexMessage(job);
      yield { phase: message.phase, indexedCount: message.indexedCount, job: message };
    }
  };
}
