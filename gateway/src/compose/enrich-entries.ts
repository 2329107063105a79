import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import type { ChangelogEntry } from "../records/changelog-entry.ts";
import { changelogDocumentOf } from "../records/change-context.ts";
import { changelogEntryOf } from "../records/changelog-entry.ts";
import { contextKeyOf } from "../upstream/context-key.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { bestEffort } from "./best-effort.ts";

/** How long a response waits for the records of its changelog entries, in milliseconds. */
export const enrichmentBudgetMs = 250;

const enrichedTypes = new Set(["offer", "item", "asset", "build"]);

/** Entries with their `metadata.context`, by one lookup. If the catalog fails or is too slow, every context is null. */
export async function withContexts(
  ctx: RequestContext,
  entries: readonly Entry[],
): Promise<ChangelogEntry[]> {
  const contexts = await findChangeContexts(ctx, entries);
  return entries.map((entry) => changelogEntryOf(entry, contexts.get(contextKeyOf(entry))));
}

/** As `withContexts`, with their `document` from the same lookup. */
export async function withDocuments(
  ctx: RequestContext,
  entries: readonly Entry[],
): Promise<ChangelogEntry[]> {
  const contexts = await findChangeContexts(ctx, entries);
  return entries.map((entry) => {
    const context = contexts.get(contextKeyOf(entry));
    const document = context === undefined ? null : changelogDocumentOf(context);
    return { ...changelogEntryOf(entry, context), document };
  });
}

async function findChangeContexts(
  ctx: RequestContext,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, ChangeContext>> {
  const enriched = entries.filter(({ contextType }) => enrichedTypes.has(contextType));
  const keys = [...new Set(enriched.map(contextKeyOf))];
  if (keys.length === 0) return new Map();
  const found = await bestEffort(ctx, "catalog", enrichmentBudgetMs, (scope) =>
    ctx.clients.loadChangeContexts(scope, "", keys),
  );
  return new Map(
    keys.flatMap((key, index) => {
      const context = found?.[index];
      return context === undefined ? [] : [[key, context] as const];
    }),
  );
}
