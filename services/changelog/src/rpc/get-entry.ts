import { GetEntryResponseSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { encoded, EncodedWriter } from "@storefront/rpc";
import type { EntryStore } from "../store/entry-store.ts";
import { entryNotFound } from "./entry-not-found.ts";
import type { ChangelogHandlers } from "./handlers.ts";

const { entry } = GetEntryResponseSchema.field;

export function getEntry(deps: { entries: EntryStore }): ChangelogHandlers["getEntry"] {
  return async ({ entryId }) => {
    const [found] = await deps.entries.getMany([entryId]);
    if (found === undefined) throw entryNotFound(entryId);
    return encoded(
      GetEntryResponseSchema,
      new EncodedWriter().message(entry.number, found).finish(),
    );
  };
}
