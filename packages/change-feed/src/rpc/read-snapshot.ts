import { ReadSnapshotResponseSchema } from "@storefront/contracts/feed/v1/feed_service";
import { encoded } from "@storefront/rpc";
import type { CurrentRecords } from "../current-records.ts";
import type { LogSource } from "../log-source.ts";
import { callerErrorOf, wantedOf } from "./handlers.ts";
import type { FeedHandlers } from "./handlers.ts";
import { snapshotBatches } from "./snapshot-batches.ts";

export function readSnapshot(deps: {
  source: LogSource;
  records: CurrentRecords;
}): FeedHandlers["readSnapshot"] {
  return async function* read({ kinds }, { signal }) {
    try {
      // Before the first record: whatever is written from here on is in the log after it.
      const position = await deps.source.newest();
      for await (const message of snapshotBatches(position, deps.records(wantedOf(kinds)))) {
        if (signal.aborted) return;
        yield encoded(ReadSnapshotResponseSchema, message);
      }
    } catch (error) {
      throw callerErrorOf(error);
    }
  };
}
