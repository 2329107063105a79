import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { z } from "zod";
import { withDocuments } from "../../compose/enrich-entries.ts";
import { isWithinSearchReach, pagingShape, searchReachRule } from "../../schemas/paging.ts";
import { zIdentifier, zTextUpTo } from "../../schemas/parameters.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { operation } from "../operation.ts";
import { entryHitsShape, processingTimeSince } from "./entry-hits.ts";

const zSearchEntriesInput = z
  .object({
    query: zTextUpTo(512)
      .overwrite((text) => text.trim())
      .default("")
      .meta({
        description:
          "Words that an entry must have, all of them; without any, every entry matches.",
        example: "harbour",
      }),
    type: zIdentifier("Only changes of this context type, exactly.", "offer").optional(),
    id: zIdentifier(
      "Only changes with this context id, exactly.",
      "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
    ).optional(),
    ...pagingShape(10, 50),
  })
  .refine(isWithinSearchReach, searchReachRule);

export const searchEntries = operation({
  method: "GET",
  path: "/search/changelog",
  operationId: "searchEntries",
  tag: "changelog",
  summary: "Search the changelog",
  description:
    "Changes by context type, context id and text, newest first. Without a text they come from the canonical log: complete, and there as soon as they are written. With one they are found by the search engine, which may be some seconds behind, and read from the log.",
  cost: 10,
  input: zSearchEntriesInput,
  output: z.object(entryHitsShape).meta({
    id: "EntrySearchPage",
    description: "A page of found changes, newest first.",
  }),
  resolve: async ({ ctx, input: { query, type, id, page, limit } }) => {
    const startedAt = performance.now();
    const { entries, total } = await findEntryPage(ctx, {
      text: query,
      contextType: type ?? "",
      contextId: id ?? "",
      page,
      pageSize: limit,
    });
    return {
      hits: await withDocuments(ctx, entries),
      estimatedTotalHits: total,
      processingTimeMs: processingTimeSince(startedAt),
      query,
    };
  },
});

/** Which page of which entries. */
interface EntryPageRequest {
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
interface EntryPage {
  entries: Entry[];
  total: number;
}

/**
 * Entries by context and text. Without a text the canonical log answers; with one the search engine
 * names the entries, and the log gives those that it has.
 */
async function findEntryPage(
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
