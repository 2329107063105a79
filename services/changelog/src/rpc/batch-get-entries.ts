import { BatchGetEntriesResponseSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { encodedOf } from "@storefront/rpc";
import type { EntryStore } from "../store/entry-store.ts";
import type { ChangelogHandlers } from "./handlers.ts";

export function batchGetEntries(deps: {
  entries: EntryStore;
}): ChangelogHandlers["batchGetEntries"] {
  return async ({ entryIds }) => {
    const entries = await deps.entries.getMany(entryIds);
    return encodedOf(BatchGetEntriesResponseSchema, { entries });
  };
}
