import type { LogTail } from "@storefront/change-feed";
import { WatchEntriesResponseSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { encoded, EncodedWriter, RequestCheck } from "@storefront/rpc";
import type { EntryLog } from "../store/entry-log.ts";
import type { ChangelogHandlers } from "./handlers.ts";
import { placeAfter } from "./place-after.ts";

const { entries } = WatchEntriesResponseSchema.field;

export function watchEntries(deps: {
  log: EntryLog;
  tail: LogTail;
}): ChangelogHandlers["watchEntries"] {
  return async function* watch({ afterEntryId }, { signal }) {
    const check = new RequestCheck();
    if (afterEntryId !== "") check.identifier("after_entry_id", afterEntryId);
    check.done();

    const after =
      afterEntryId === "" ? await deps.log.newest() : await placeAfter(deps.log, afterEntryId);
    for await (const batch of deps.tail.watch({ after, signal })) {
      yield encoded(
        WatchEntriesResponseSchema,
        new EncodedWriter().messages(entries.number, batch.entries).finish(),
      );
    }
  };
}
