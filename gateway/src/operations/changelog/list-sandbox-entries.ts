import { z } from "zod";
import { withDocuments } from "../../compose/enrich-entries.ts";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../schemas/paging.ts";
import { zIdentifier } from "../../schemas/parameters.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";
import { entryHitsShape, processingTimeSince } from "./entry-hits.ts";

const zListSandboxEntriesOutput = z
  .object({
    ...entryHitsShape,
    limit: pageEchoShape.limit,
    offset: z
      .int()
      .min(0)
      .meta({ description: "Number of entries on the pages before.", example: 0 }),
  })
  .meta({ id: "SandboxEntryPage", description: "A page of a sandbox's changes, newest first." });

export const listSandboxEntries = operation({
  method: "GET",
  path: "/sandboxes/{sandboxId}/changelog",
  operationId: "listSandboxEntries",
  tag: "changelog",
  summary: "List the changes in a sandbox",
  description:
    "Changes of the sandbox and of every offer, item, asset and build in it, newest first.",
  cost: 3,
  input: z
    .object({
      sandboxId: zIdentifier("Namespace or sandbox id.", "calluna"),
      ...pagingShape(10, 50),
    })
    .refine(isWithinReach, reachRule),
  failures: [404],
  output: zListSandboxEntriesOutput,
  resolve: async ({ ctx, input: { sandboxId, page, limit } }) => {
    const startedAt = performance.now();
    const request = {
      scope: { case: "sandboxId", value: sandboxId },
      page,
      pageSize: limit,
    } as const;
    const [, { entries, totalSize }] = await Promise.all([
      // It alone knows which sandboxes there are.
      callUpstream(ctx, "catalog.GetSandbox", (options) =>
        ctx.clients.catalog.getSandbox({ sandboxId }, options),
      ),
      callUpstream(ctx, "changelog.ListEntries", (options) =>
        ctx.clients.changelog.listEntries(request, options),
      ),
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
