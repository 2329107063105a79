import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { withContexts } from "../compose/enrich-entries.ts";
import { eventBlock } from "../http/event-blocks.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { EntryBlock } from "./entry-ring.ts";

/** Entries as events whose data is the change as the changelist shows it, enriched by one lookup. */
export async function entryBlocks(
  ctx: RequestContext,
  entries: readonly Entry[],
): Promise<EntryBlock[]> {
  const enriched = await withContexts(ctx, entries);
  return enriched.map(({ _id: id, ...members }) => ({
    id,
    bytes: eventBlock(id, { _id: id, ...members }),
  }));
}
