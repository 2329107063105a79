import { withDocuments } from "../../../compose/enrich-entries.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { processingTimeSince } from "../entry-hits.ts";
import {
  zListSandboxEntriesInput,
  zListSandboxEntriesOutput,
} from "./list-sandbox-entries.schema.ts";

export const listSandboxEntries = operation({
  method: "GET",
  path: "/sandboxes/{sandboxId}/changelog",
  operationId: "listSandboxEntries",
  tag: "changelog",
  summary: "List the changes in a sandbox",
  description:
    "Changes of the sandbox and of every offer, item, asset and build in it, newest first.",
  cost: 3,
  input: zListSandboxEntriesInput,
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
