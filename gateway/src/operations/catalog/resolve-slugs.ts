import type { SlugMapping } from "@storefront/contracts/catalog/v1/catalog_service";
import { z } from "zod";
import { zTextUpTo } from "../../schemas/parameters.ts";
import type { Shows } from "../../records/shows.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const slugsRule = "must be an array of 1 to 1000 slugs";

const zResolveSlugsOutput = z.array(
  z
    .object({
      slug: z.string().meta({ description: "As submitted.", example: "moonlit-harbour" }),
      id: z.string().nullable().meta({
        description: "Id of the offer; null when unknown.",
        example: "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
      }),
      namespace: z
        .string()
        .nullable()
        .meta({ description: "Sandbox of the offer; null when unknown.", example: "calluna" }),
    })
    .meta({ id: "SlugMapping", description: "What stands behind a slug." }),
);

export const resolveSlugs = operation({
  method: "POST",
  path: "/offers/slugs",
  operationId: "resolveSlugs",
  tag: "offers",
  summary: "Resolve store slugs",
  description: "The offer behind each slug: one row per slug, in its order, duplicates kept.",
  cost: 3,
  input: z.object({
    slugs: z
      .array(zTextUpTo(512), slugsRule)
      .min(1, slugsRule)
      .max(1000, slugsRule)
      .meta({
        description: "Slugs to resolve.",
        example: ["moonlit-harbour", "iron-orchard/home"],
      }),
  }),
  output: zResolveSlugsOutput,
  resolve: async ({ ctx, input: { slugs } }) => {
    const { mappings } = await callUpstream(ctx, "catalog.ResolveSlugs", (options) =>
      ctx.clients.catalog.resolveSlugs({ slugs }, options),
    );
    return mappings.map(slugMappingOf);
  },
});

type ShownMapping = Shows<z.output<typeof zResolveSlugsOutput>[number], SlugMapping, "offerId">;

function slugMappingOf({ slug, offerId, namespace }: SlugMapping): ShownMapping {
  return { slug, id: offerId ?? null, namespace: namespace ?? null };
}
