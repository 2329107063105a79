import { z } from "zod";
import { hydrateOffers } from "../../compose/hydrate-offers.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { notFound } from "../../errors/public-error.ts";
import { zPricedOffer } from "../../schemas/offer.ts";
import { zCountry, zLocale, zLows, zOfferId } from "../../schemas/parameters.ts";
import { operation } from "../operation.ts";

export const getOffer = operation({
  method: "GET",
  path: "/offers/{id}",
  operationId: "getOffer",
  tag: "offers",
  summary: "Get an offer",
  description: "One store listing with its price in the region of the country.",
  isRegional: true,
  input: z.object({
    id: zOfferId,
    country: zCountry,
    locale: zLocale,
    lows: zLows,
  }),
  output: zPricedOffer,
  resolve: async ({ ctx, input: { id, country, locale, lows } }) => {
    const { region } = resolveCountry(ctx, country);
    const [offer] = await hydrateOffers(ctx, [id], locale, region, lows);
    if (offer === undefined) throw notFound("Offer not found");
    return offer;
  },
});
