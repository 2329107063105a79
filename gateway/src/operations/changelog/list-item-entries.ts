import { z } from "zod";
import { withDocuments } from "../../compose/enrich-entries.ts";
import { zChangelogEntry } from "../../records/changelog-entry.ts";
import { isWithinReach, pagingShape, reachRule } from "../../schemas/paging.ts";
import { zIdentifier } from "../../schemas/parameters.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

export const listItemEntries = operation({
  method: "GET",
  path: "/items/{id}/changelog",
  operationId: "listItemEntries",
  tag: "changelog",
  summary: "List the changes of an item",
  description:
    "Changes of the item, of its assets and of the builds of its applications, newest first.",
  cost: 3,
  input: z
    .object({
      id: zIdentifier("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
      ...pagingShape(10, 50),
    })
    .refine(isWithinReach, reachRule),
  failures: [404],
  output: z.array(zChangelogEntry),
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
