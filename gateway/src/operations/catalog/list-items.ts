import { z } from "zod";
import { zItemSummary, itemSummaryOf } from "../../records/item.ts";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../schemas/paging.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

export const listItems = operation({
  method: "GET",
  path: "/items",
  operationId: "listItems",
  tag: "items",
  summary: "List all items",
  description: "Catalog items, newest `lastModifiedDate` first.",
  cost: 3,
  input: z.object(pagingShape(10, 50)).refine(isWithinReach, reachRule),
  output: z
    .object({
      elements: z.array(zItemSummary).meta({ description: "The items of the page." }),
      ...pageEchoShape,
      total: z.int().min(0).meta({ description: "Number of items on all pages.", example: 1042 }),
    })
    .meta({ id: "ItemPage", description: "A page of items, newest change first." }),
  resolve: async ({ ctx, input: { page, limit } }) => {
    const answer = await callUpstream(ctx, "catalog.ListItems", (options) =>
      ctx.clients.catalog.listItems({ page, pageSize: limit }, options),
    );
    return {
      elements: answer.items.map(itemSummaryOf),
      page,
      limit,
      total: Number(answer.totalSize),
    };
  },
});
