import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zResolveSlugsInput, zResolveSlugsOutput } from "./resolve-slugs.schema.ts";

export const resolveSlugs = operation({
  method: "POST",
  path: "/offers/slugs",
  operationId: "resolveSlugs",
  tag: "offers",
  summary: "Resolve store slugs",
  description: "The offer behind each slug: one row per slug, in its order, duplicates kept.",
  cost: 3,
  input: zResolveSlugsInput,
  output: zResolveSlugsOutput,
  resolve: async ({ ctx, input: { slugs } }) => {
    const { mappings } = await callUpstream(ctx, "catalog.ResolveSlugs", (options) =>
      ctx.clients.catalog.resolveSlugs({ slugs }, options),
    );
    return mappings.map(({ slug, offerId, namespace }) => ({
      slug,
      id: offerId ?? null,
      namespace: namespace ?? null,
    }));
  },
});
