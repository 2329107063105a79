import { itemOf } from "../../../shape/item.ts";
import { answered } from "../../../upstream/answered.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zGetItemInput, zGetItemOutput } from "./get-item.schema.ts";

export const getItem = operation({
  method: "GET",
  path: "/items/{id}",
  operationId: "getItem",
  tag: "items",
  summary: "Get an item",
  description: "One catalog item with all its members.",
  input: zGetItemInput,
  output: zGetItemOutput,
  resolve: async ({ ctx, input }) => {
    const { item } = await callUpstream(ctx, "catalog.GetItem", (options) =>
      ctx.clients.catalog.getItem({ itemId: input.id }, options),
    );
    return itemOf(answered(item, "catalog.GetItem"));
  },
});
