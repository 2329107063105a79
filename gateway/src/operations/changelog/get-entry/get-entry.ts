import { withContexts } from "../../../compose/enrich-entries.ts";
import { answered } from "../../../upstream/answered.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zGetEntryInput, zGetEntryOutput } from "./get-entry.schema.ts";

export const getEntry = operation({
  method: "GET",
  path: "/changelist/{id}",
  operationId: "getEntry",
  tag: "changelog",
  summary: "Get a change",
  description: "One entry of the changelog.",
  input: zGetEntryInput,
  output: zGetEntryOutput,
  resolve: async ({ ctx, input }) => {
    const name = "changelog.GetEntry";
    const { entry } = await callUpstream(ctx, name, (options) =>
      ctx.clients.changelog.getEntry({ entryId: input.id }, options),
    );
    const [enriched] = await withContexts(ctx, [answered(entry, name)]);
    return answered(enriched, name);
  },
});
