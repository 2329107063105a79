import { buildOf } from "../../../shape/build.ts";
import { itemSummaryOf } from "../../../shape/item.ts";
import { answered } from "../../../upstream/answered.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zListItemBuildsInput, zListItemBuildsOutput } from "./list-item-builds.schema.ts";

export const listItemBuilds = operation({
  method: "GET",
  path: "/items/{id}/builds",
  operationId: "listItemBuilds",
  tag: "items",
  summary: "List the builds of an item",
  description: "Builds of the item's applications, newest `updatedAt` first, at most 1,000.",
  cost: 3,
  input: zListItemBuildsInput,
  output: zListItemBuildsOutput,
  resolve: async ({ ctx, input }) => {
    const { builds, item } = await callUpstream(ctx, "catalog.ListItemBuilds", (options) =>
      ctx.clients.catalog.listItemBuilds({ itemId: input.id }, options),
    );
    const summary = itemSummaryOf(answered(item, "catalog.ListItemBuilds"));
    return builds.map((build) => buildOf(build, summary));
  },
});
