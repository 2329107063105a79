import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { z } from "zod";
import { withDocuments } from "../../compose/enrich-changes.ts";
import { zChangelogEntry } from "../../records/changelog-entry.ts";
import { zCount, zList, zObject, zString } from "../../records/members.ts";
import {
  pageEchoShape,
  pagingShape,
  withinReach,
  withinSearchReach,
} from "../../schemas/paging.ts";
import { zIdentifier, zSandboxId, zTextUpTo } from "../../schemas/parameters.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { operation } from "../operation.ts";

const entryHitsShape = {
  hits: zList(zChangelogEntry, "The entries of the page."),
  estimatedTotalHits: zCount("Number of matching entries on all pages; exact without a text.", 128),
  processingTimeMs: zCount("Milliseconds it took.", 6),
  query: zString("The text searched for, trimmed.", "harbour"),
};

function processingTimeSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

const zListSandboxEntriesOutput = zObject(
  "SandboxEntryPage",
  "A page of a sandbox's changes, newest first.",
  {
    ...entryHitsShape,
    limit: pageEchoShape.limit,
    offset: zCount("Number of entries on the pages before.", 0),
  },
);

export const listSandboxEntries = operation({
  path: "/sandboxes/{sandboxId}/changelog",
  operationId: "listSandboxEntries",
  tag: "changelog",
  summary: "List the changes in a sandbox",
  description:
    "Changes of the sandbox and of every offer, item, asset and build in it, newest first.",
  cost: 3,
  input: z.object({ sandboxId: zSandboxId, ...pagingShape(10, 50) }).check(withinReach),
  failures: [404],
  output: zListSandboxEntriesOutput,
  resolve: async ({ ctx, input: { sandboxId, page, limit } }) => {
    const startedAt = performance.now();
    const scope = { case: "sandboxId", value: sandboxId } as const;
    const [, { entries, totalSize }] = await Promise.all([
      // Fails for an unknown sandbox, which the changelog does not know.
      ctx.clients.catalog.getSandbox(ctx, { sandboxId }),
      ctx.clients.changelog.listEntries(ctx, { scope, page, pageSize: limit }),
    ]);
    return {
      hits: await withDocuments(ctx, entries),
      estimatedTotalHits: Number(totalSize),
      processingTimeMs: processingTimeSince(startedAt),
      query: "",
      limit,
      offset: (page - 1) * limit,
    };
  },
});

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
  .check(withinSearchReach);

export const searchEntries = operation({
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
    const { entries, total } = await findEntryPage(ctx, query, {
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

/**
 * Without a text the log is the source; with one the search engine finds the ids of entries, and the
 * log gives those that it has.
 */
async function findEntryPage(
  ctx: RequestContext,
  text: string,
  request: { contextType: string; contextId: string; page: number; pageSize: number },
): Promise<{ entries: Entry[]; total: number }> {
  const { changelog, search } = ctx.clients;
  if (text === "") {
    const { entries, totalSize } = await changelog.listEntries(ctx, request);
    return { entries, total: Number(totalSize) };
  }
  const { entryIds, totalSize } = await search.searchEntries(ctx, { text, ...request });
  if (entryIds.length === 0) return { entries: [], total: Number(totalSize) };
  const { entries } = await changelog.batchGetEntries(ctx, { entryIds });
  return { entries, total: Number(totalSize) };
}
