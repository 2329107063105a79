import { GetEntryResponseSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { encodedOf } from "@storefront/rpc";
import type { EntryStore } from "../store/entry-store.ts";
import { entryNotFound } from "./not-found-errors.ts";
import type { ChangelogHandlers } from "./handlers.ts";

export function getEntry(deps: { entries: EntryStore }): ChangelogHandlers["getEntry"] {
  return async ({ entryId }) => {
    const [entry] = await deps.entries.getMany([entryId]);
    if (entry === undefined) throw entryNotFound(entryId);
    return encodedOf(GetEntryResponseSchema, { entry });
  };
}
