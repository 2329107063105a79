import { withDocuments } from "../../../compose/enrich-entries.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zListItemEntriesInput, zListItemEntriesOutput } from "./list-item-entries.schema.ts";

export const listItemEntries = operation({
  method: "GET",
  path: "/items/{id}/changelog",
  operationId: "listItemEntries",
  tag: "changelog",
  summary: "List the changes of an item",
  description:
    "Changes of the item, of its assets and of the builds of its applications, newest first.",
  cost: 3,
  input: zListItemEntriesInput,
  output: zListItemEntriesOutput,
  resolve: async ({ ctx, input: { id, page, limit } }) => {
    const request = { scope: { case: "itemId", value: id }, page, pageSize: limit } as const;
    const [, { entries }] = await Promise.all([
      // It alone knows which items there are.
      callUpstream(ctx, "catalog.GetItem", (options) =>
        ctx.clients.catalog.getItem({ itemId: id }, options),
      ),
      callUpstream(ctx, "changelog.ListEntries", (options) =>
        ctx.clients.changelog.listEntries(request, options),
      ),
    ]);
    return await withDocuments(ctx, entries);
  },
});
