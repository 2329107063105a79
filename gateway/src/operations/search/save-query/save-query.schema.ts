import { z } from "zod";
import { offerPageShape, zFoundOffers, zOfferSearchInput } from "../../../schemas/offer-search.ts";

export const zSaveQueryInput = zOfferSearchInput;

export const zSaveQueryOutput = z
  .object({
    elements: zFoundOffers,
    ...offerPageShape,
    query: z.string().meta({
      description:
        "Id of the saved query: 32 hexadecimal digits, the same for all bodies that ask for the same.",
      example: "9e107d9d372bb6826bd81d3542a419d6",
    }),
  })
  .meta({ id: "SavedQueryPage", description: "A page of found offers, and the id of the query." });
