import { withDocuments } from "../../../compose/enrich-entries.ts";
import { operation } from "../../operation.ts";
import { processingTimeSince } from "../entry-hits.ts";
import { findEntryPage } from "./find-entry-page.ts";
import { zSearchEntriesInput, zSearchEntriesOutput } from "./search-entries.schema.ts";

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
  output: zSearchEntriesOutput,
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
