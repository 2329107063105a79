import { z } from "zod";
import { zBuild, buildOf } from "../../records/build.ts";
import { zIdentifier } from "../../schemas/parameters.ts";
import { itemSummaryOf } from "../../records/item.ts";
import { answered } from "../../upstream/answered.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

export const listItemBuilds = operation({
  method: "GET",
  path: "/items/{id}/builds",
  operationId: "listItemBuilds",
  tag: "items",
  summary: "List the builds of an item",
  description: "Builds of the item's applications, newest `updatedAt` first, at most 1,000.",
  cost: 3,
  input: z.object({
    id: zIdentifier("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
  }),
  failures: [404],
  output: z.array(zBuild),
  resolve: async ({ ctx, input }) => {
    const { builds, item } = await callUpstream(ctx, "catalog.ListItemBuilds", (options) =>
      ctx.clients.catalog.listItemBuilds({ itemId: input.id }, options),
    );
    const summary = itemSummaryOf(answered(item, "catalog.ListItemBuilds"));
    return builds.map((build) => buildOf(build, summary));
  },
});
