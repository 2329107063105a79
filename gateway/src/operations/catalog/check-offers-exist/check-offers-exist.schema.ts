import { z } from "zod";
import { zIdentifier } from "../../../schemas/parameters.ts";

const offersRule = "must be an array of at most 1000 offer ids";

export const zCheckOffersExistInput = z.object({
  offers: z
    .array(zIdentifier("Id of an offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"), offersRule)
    .max(1000, offersRule)
    .meta({
      description: "Ids to check.",
      example: ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b", "00000000000000000000000000000000"],
    }),
});

export const zCheckOffersExistOutput = z
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
