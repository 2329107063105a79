import type { SlugMapping } from "@storefront/contracts/catalog/v1/catalog_service";
import { z } from "zod";
import { zObject, zString, zStrings, zText } from "../../records/members.ts";
import type { Mapped } from "../../records/mapped-fields.ts";
import { zIdentifier, zTextUpTo } from "../../schemas/parameters.ts";
import { operation } from "../operation.ts";

const offersRule = "must be an array of at most 1000 offer ids";

const zCheckOffersExistOutput = zObject(
  "OfferExistence",
  "The submitted ids in two lists, each id once.",
  {
    existingOffers: zStrings("Those that offers have.", ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"]),
    nonExistingOffers: zStrings("Those that none has.", ["00000000000000000000000000000000"]),
  },
);

export const checkOffersExist = operation({
  method: "POST",
  path: "/offers/exists",
  operationId: "checkOffersExist",
  tag: "offers",
  summary: "Check whether offers exist",
  description: "Parts the submitted ids into known and unknown ones, in their order, each once.",
  cost: 3,
  input: z.object({
    offers: z
      .array(zIdentifier("Id of an offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"), offersRule)
      .max(1000, offersRule)
      .meta({
        description: "Ids to check.",
        example: ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b", "00000000000000000000000000000000"],
      }),
  }),
  output: zCheckOffersExistOutput,
  resolve: async ({ ctx, input }) => {
    const offerIds = [...new Set(input.offers)];
    if (offerIds.length === 0) return { existingOffers: [], nonExistingOffers: [] };
    const { existingOfferIds } = await ctx.clients.catalog.checkOffersExist(ctx, { offerIds });
    const existing = new Set(existingOfferIds);
    return {
      existingOffers: offerIds.filter((id) => existing.has(id)),
      nonExistingOffers: offerIds.filter((id) => !existing.has(id)),
    };
  },
});

const slugsRule = "must be an array of 1 to 1000 slugs";

const zResolveSlugsOutput = z.array(
  zObject("SlugMapping", "What stands behind a slug.", {
    slug: zString("As submitted.", "moonlit-harbour"),
    id: zText("Id of the offer; null when unknown.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
    namespace: zText("Sandbox of the offer; null when unknown.", "calluna"),
  }),
);

export const resolveSlugs = operation({
  method: "POST",
  path: "/offers/slugs",
  operationId: "resolveSlugs",
  tag: "offers",
  summary: "Resolve store slugs",
  description:
    "The offer behind each slug: one row per slug, in the order of the request, with duplicates.",
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
    const { mappings } = await ctx.clients.catalog.resolveSlugs(ctx, { slugs });
    return mappings.map(slugMappingOf);
  },
});

type ShownMapping = Mapped<z.output<typeof zResolveSlugsOutput>[number], SlugMapping, "offerId">;

function slugMappingOf({ slug, offerId, namespace }: SlugMapping): ShownMapping {
  return { slug, id: offerId ?? null, namespace: namespace ?? null };
}
