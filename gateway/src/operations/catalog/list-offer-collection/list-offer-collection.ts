import { findOffer } from "../../../compose/find-offer.ts";
import { hydrateOffers } from "../../../compose/hydrate-offers.ts";
import { resolveCountry } from "../../../compose/resolve-country.ts";
import { notFound } from "../../../errors/public-error.ts";
import { defaultLocale } from "../../../schemas/locale.ts";
import { operation } from "../../operation.ts";
import {
  zListOfferCollectionInput,
  zListOfferCollectionOutput,
} from "./list-offer-collection.schema.ts";

export const listOfferCollection = operation({
  method: "GET",
  path: "/offers/{id}/collection",
  operationId: "listOfferCollection",
  tag: "offers",
  summary: "List the offers that an offer bundles",
  description: "Members of the offer's collection in their stored order, each with its price.",
  isRegional: true,
  cost: 3,
  input: zListOfferCollectionInput,
  output: zListOfferCollectionOutput,
  resolve: async ({ ctx, input: { id, country, locale } }) => {
    const { region } = resolveCountry(ctx, country);
    const owner = await findOffer(ctx, id, defaultLocale);
    if (owner === undefined) throw notFound("Offer not found");
    const memberIds = owner.offer.collectionOfferIds;
    if (memberIds.length === 0) throw notFound("Offer has no collection");
    const members = await hydrateOffers(ctx, memberIds, locale, region);
    return members.filter((member) => member !== undefined);
  },
});
