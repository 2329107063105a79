import { BatchGetEntriesResponseSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { encoded, EncodedWriter } from "@storefront/rpc";
import type { EntryStore } from "../store/entry-store.ts";
import type { ChangelogHandlers } from "./handlers.ts";

const { entries } = BatchGetEntriesResponseSchema.field;

export function batchGetEntries(deps: {
  entries: EntryStore;
}): ChangelogHandlers["batchGetEntries"] {
  return async ({ entryIds }) => {
    const found = await deps.entries.getMany(entryIds);
    return encoded(
      BatchGetEntriesResponseSchema,
      new EncodedWriter().messages(entries.number, found).finish(),
    );
  };
}
