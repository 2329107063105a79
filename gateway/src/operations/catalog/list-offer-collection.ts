import { asOfferId } from "@storefront/identifiers";
import { z } from "zod";
import { hydrateOffers } from "../../compose/hydrate-offers.ts";
import { knownOffer } from "../../compose/known-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { notFound } from "../../errors/public-error.ts";
import { zPricedOffer } from "../../records/offer.ts";
import { zCountry, zLocale, zLows, zOfferId } from "../../schemas/parameters.ts";
import { operation } from "../operation.ts";

export const listOfferCollection = operation({
  method: "GET",
  path: "/offers/{id}/collection",
  operationId: "listOfferCollection",
  tag: "offers",
  summary: "List the offers that an offer bundles",
  description: "Members of the offer's collection in their stored order, each with its price.",
  isRegional: true,
  cost: 3,
  input: z.object({
    id: zOfferId,
    country: zCountry,
    locale: zLocale,
    lows: zLows,
  }),
  failures: [404],
  output: z.array(zPricedOffer),
  resolve: async ({ ctx, input: { id, country, locale, lows } }) => {
    const { region } = resolveCountry(ctx, country);
    const owner = await knownOffer(ctx.clients.loadOffers(ctx, "", [id]));
    const memberIds = owner.offer.collectionOfferIds.map(asOfferId);
    if (memberIds.length === 0) throw notFound("Offer has no collection");
    const members = await hydrateOffers(ctx, memberIds, locale, region, lows);
    return members.filter((member) => member !== undefined);
  },
});
