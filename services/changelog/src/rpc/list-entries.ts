import {
  ListEntriesRequestSchema,
  ListEntriesResponseSchema,
} from "@storefront/contracts/changelog/v1/changelog_service";
import { encodedOf, pageOf } from "@storefront/rpc";
import type { EntryStore } from "../store/entry-store.ts";
import type { ChangelogHandlers } from "./handlers.ts";

const scopeKinds = { sandboxId: "sandbox", itemId: "item" } as const;

export function listEntries(deps: { entries: EntryStore }): ChangelogHandlers["listEntries"] {
  return async (request) => {
    const { scope, contextType, contextId } = request;
    const range = pageOf(ListEntriesRequestSchema, request);

    const filter = {
      scope: scope.case && { kind: scopeKinds[scope.case], key: scope.value },
      contextType: contextType || undefined,
      contextId: contextId || undefined,
    };
    const { entries, totalSize } = await deps.entries.list(filter, range);
    return encodedOf(ListEntriesResponseSchema, { entries, totalSize });
  };
}
