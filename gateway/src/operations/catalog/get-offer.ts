import { z } from "zod";
import { findShownPrices } from "../../compose/find-price.ts";
import { knownOffer } from "../../compose/known-offer.ts";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { zPricedOffer } from "../../records/offer.ts";
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
  failures: [404],
  output: zPricedOffer,
  resolve: async ({ ctx, input: { id, country, locale, lows } }) => {
    const { region } = resolveCountry(ctx, country);
    const finding = ctx.clients.loadOffers(ctx, requestLocale(locale), [id]);
    const [found, [price]] = await Promise.all([
      knownOffer(finding),
      findShownPrices(ctx, [id], region, lows ? finding : undefined),
    ]);
    return { ...localiseOffer(found, locale), price: price ?? null };
  },
});
