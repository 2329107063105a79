import { itemSummaryOf } from "../../../shape/item.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zListItemsInput, zListItemsOutput } from "./list-items.schema.ts";

export const listItems = operation({
  method: "GET",
  path: "/items",
  operationId: "listItems",
  tag: "items",
  summary: "List all items",
  description: "Catalog items, newest `lastModifiedDate` first.",
  cost: 3,
  input: zListItemsInput,
  output: zListItemsOutput,
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
