import { BatchGetEntriesResponseSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { encoded, EncodedWriter, RequestCheck } from "@storefront/rpc";
import type { EntryStore } from "../store/entry-store.ts";
import type { ChangelogHandlers } from "./handlers.ts";

const { entries } = BatchGetEntriesResponseSchema.field;

const maxEntryIds = 1_000;

export function batchGetEntries(deps: {
  entries: EntryStore;
}): ChangelogHandlers["batchGetEntries"] {
  return async ({ entryIds }) => {
    new RequestCheck().identifiers("entry_ids", entryIds, maxEntryIds).done();

    const found = await deps.entries.getMany(entryIds);
    return encoded(
      BatchGetEntriesResponseSchema,
      new EncodedWriter().messages(entries.number, found).finish(),
    );
  };
}
