import { withDocuments } from "../../compose/enrich-entries.ts";
import { unavailable } from "../../errors/public-error.ts";
import { operation } from "../../operation.ts";
import { callUpstream } from "../../upstream.ts";
import { processingTimeSince } from "./entry-hits.ts";
import { zSearchEntriesInput, zSearchEntriesOutput } from "./search-entries.schema.ts";

export const searchEntries = operation({
  method: "GET",
  path: "/search/changelog",
  operationId: "searchEntries",
  tag: "changelog",
  summary: "Search the changelog",
  description:
    "Changes by context type, context id and text, newest first. Without a text they come from the canonical log: complete, and there as soon as they are written.",
  input: zSearchEntriesInput,
  output: zSearchEntriesOutput,
  resolve: async ({ ctx, input: { query, type, id, page, limit } }) => {
    const startedAt = performance.now();
    if (query !== "") throw unavailable("query cannot be answered: no text search is configured.");
    const request = { contextType: type ?? "", contextId: id ?? "", page, pageSize: limit };
    const { entries, totalSize } = await callUpstream(ctx, "changelog.ListEntries", (options) =>
      ctx.clients.changelog.listEntries(request, options),
    );
    return {
      hits: await withDocuments(ctx, entries),
      estimatedTotalHits: Number(totalSize),
      processingTimeMs: processingTimeSince(startedAt),
      query,
    };
  },
});
