import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import type { RequestContext } from "../../../upstream/request-context.ts";

/** Which page of which entries. */
export interface EntryPageRequest {
  /** Words that an entry must have; empty for none. */
  text: string;
  /** Empty for all. */
  contextType: string;
  /** Empty for all. */
  contextId: string;
  page: number;
  pageSize: number;
}

/** A page of entries, newest first. */
export interface EntryPage {
  entries: Entry[];
  total: number;
}

/**
 * Entries by context and text. Without a text the canonical log answers; with one the search engine
 * names the entries, and the log gives those that it has.
 */
export async function findEntryPage(
  ctx: RequestContext,
  { text, ...request }: EntryPageRequest,
): Promise<EntryPage> {
  const { changelog, search } = ctx.clients;
  if (text === "") {
    const { entries, totalSize } = await callUpstream(ctx, "changelog.ListEntries", (options) =>
      changelog.listEntries(request, options),
    );
    return { entries, total: Number(totalSize) };
  }
  const { entryIds, totalSize } = await callUpstream(ctx, "search.SearchEntries", (options) =>
    search.searchEntries({ text, ...request }, options),
  );
  if (entryIds.length === 0) return { entries: [], total: Number(totalSize) };
  const { entries } = await callUpstream(ctx, "changelog.BatchGetEntries", (options) =>
    changelog.batchGetEntries({ entryIds }, options),
  );
  return { entries, total: Number(totalSize) };
}
