import { z } from "zod";
import { zFeaturedOffer } from "../../../schemas/offer.ts";
import { zCountry, zLocale } from "../../../schemas/parameters.ts";

export const zListFeaturedDiscountsInput = z.object({ country: zCountry, locale: zLocale });

export const zListFeaturedDiscountsOutput = z.array(zFeaturedOffer);
