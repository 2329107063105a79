import type { LogPosition, LogTail } from "@storefront/change-feed";
import { WatchEntriesResponseSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { encodedOf } from "@storefront/rpc";
import type { EntryLog } from "../store/entry-log.ts";
import type { ChangelogHandlers } from "./handlers.ts";
import { placeAfter } from "./place-after.ts";

/** Where a watch starts, and what its first message says of that. */
interface Start {
  after: LogPosition;
  startedAfterEntryId: string;
}

export function watchEntries(deps: {
  log: EntryLog;
  tail: LogTail;
}): ChangelogHandlers["watchEntries"] {
  return async function* watch({ afterEntryId }, { signal }) {
    const start = await startOf(deps.log, afterEntryId);
    let { startedAfterEntryId } = start;
    for await (const { entries } of deps.tail.watch({ after: start.after, signal })) {
      yield encodedOf(WatchEntriesResponseSchema, { entries, startedAfterEntryId });
      startedAfterEntryId = "";
    }
  };
}

async function startOf(log: EntryLog, afterEntryId: string): Promise<Start> {
  if (afterEntryId !== "") {
    return { after: await placeAfter(log, afterEntryId), startedAfterEntryId: "" };
  }
  const newest = await log.newestResumable();
  if (newest === undefined) return { after: await log.newest(), startedAfterEntryId: "" };
  return { after: newest.position, startedAfterEntryId: newest.id };
}
