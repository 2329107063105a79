import { z } from "zod";
import { zItem, itemOf } from "../../records/item.ts";
import { zIdentifier } from "../../schemas/parameters.ts";
import { answered } from "../../upstream/answered.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

export const getItem = operation({
  method: "GET",
  path: "/items/{id}",
  operationId: "getItem",
  tag: "items",
  summary: "Get an item",
  description: "One catalog item with all its members.",
  input: z.object({
    id: zIdentifier("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
  }),
  failures: [404],
  output: zItem,
  resolve: async ({ ctx, input }) => {
    const { item } = await callUpstream(ctx, "catalog.GetItem", (options) =>
      ctx.clients.catalog.getItem({ itemId: input.id }, options),
    );
    return itemOf(answered(item, "catalog.GetItem"));
  },
});
