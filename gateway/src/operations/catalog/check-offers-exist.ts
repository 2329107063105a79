import { z } from "zod";
import { zIdentifier } from "../../schemas/parameters.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const offersRule = "must be an array of at most 1000 offer ids";

const zCheckOffersExistOutput = z
  .object({
    existingOffers: z.array(z.string()).meta({
      description: "Those that offers have.",
      example: ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"],
    }),
    nonExistingOffers: z.array(z.string()).meta({
      description: "Those that none has.",
      example: ["00000000000000000000000000000000"],
    }),
  })
  .meta({ id: "OfferExistence", description: "The submitted ids in two lists, each id once." });

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
    const { existingOfferIds } = await callUpstream(ctx, "catalog.CheckOffersExist", (options) =>
      ctx.clients.catalog.checkOffersExist({ offerIds }, options),
    );
    const existing = new Set(existingOfferIds);
    return {
      existingOffers: offerIds.filter((id) => existing.has(id)),
      nonExistingOffers: offerIds.filter((id) => !existing.has(id)),
    };
  },
});
