import { z } from "zod";
import { zOffer } from "../../../schemas/offer.ts";
import { zIdentifier, zLocale } from "../../../schemas/parameters.ts";

export const zGetItemOfferInput = z.object({
  id: zIdentifier("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
  locale: zLocale,
});

export const zGetItemOfferOutput = zOffer;
