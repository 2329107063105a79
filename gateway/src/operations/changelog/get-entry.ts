import { z } from "zod";
import { withContexts } from "../../compose/enrich-entries.ts";
import { zChangelogEntry } from "../../records/changelog-entry.ts";
import { zIdentifier } from "../../schemas/parameters.ts";
import { answered } from "../../upstream/answered.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

export const getEntry = operation({
  method: "GET",
  path: "/changelist/{id}",
  operationId: "getEntry",
  tag: "changelog",
  summary: "Get a change",
  description: "One entry of the changelog.",
  input: z.object({
    id: zIdentifier("Id of the change.", "catalog-000000000001f"),
  }),
  failures: [404],
  output: zChangelogEntry,
  resolve: async ({ ctx, input }) => {
    const name = "changelog.GetEntry";
    const { entry } = await callUpstream(ctx, name, (options) =>
      ctx.clients.changelog.getEntry({ entryId: input.id }, options),
    );
    const [enriched] = await withContexts(ctx, [answered(entry, name)]);
    return answered(enriched, name);
  },
});
