import { z } from "zod";
import { zPricedOffer } from "../../../schemas/offer.ts";
import { zCountry, zIdentifier, zLocale } from "../../../schemas/parameters.ts";

export const zListOfferCollectionInput = z.object({
  id: zIdentifier("Id of the offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
  country: zCountry,
  locale: zLocale,
});

export const zListOfferCollectionOutput = z.array(zPricedOffer);
