import { z } from "zod";
import { offerPageShape, zFoundOffers, zOfferSearchInput } from "../../schemas/offer-search.ts";

export const zSaveQueryInput = zOfferSearchInput;

export const zSaveQueryOutput = z
  .object({
    elements: zFoundOffers,
    ...offerPageShape,
    query: z.string().meta({
      description:
        "Id of the saved query: 32 hexadecimal digits, the same for all bodies that ask for the same.",
    }),
  })
  .meta({ id: "SavedQueryPage" });
