import { ListEntriesResponseSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { encoded, EncodedWriter, RequestCheck } from "@storefront/rpc";
import type { EntryStore } from "../store/entry-store.ts";
import type { ChangelogHandlers } from "./handlers.ts";
import { entryPageLimits } from "./page-limits.ts";

const fields = ListEntriesResponseSchema.field;

const scopeFields = { sandboxId: "sandbox_id", itemId: "item_id" } as const;
const scopeKinds = { sandboxId: "sandbox", itemId: "item" } as const;

export function listEntries(deps: { entries: EntryStore }): ChangelogHandlers["listEntries"] {
  return async (request) => {
    const { scope, contextType, contextId } = request;
    const check = new RequestCheck();
    if (scope.case !== undefined) check.identifier(scopeFields[scope.case], scope.value);
    if (contextType !== "") check.identifier("context_type", contextType);
    if (contextId !== "") check.identifier("context_id", contextId);
    const range = check.page(request, entryPageLimits);
    check.done();

    const filter = {
      scope: scope.case && { kind: scopeKinds[scope.case], key: scope.value },
      contextType: contextType || undefined,
      contextId: contextId || undefined,
    };
    const { entries, totalSize } = await deps.entries.list(filter, range);
    return encoded(
      ListEntriesResponseSchema,
      new EncodedWriter()
        .messages(fields.entries.number, entries)
        .varint(fields.totalSize.number, totalSize)
        .finish(),
    );
  };
}
