import { findOffer } from "../../../compose/find-offer.ts";
import { findShownPrices } from "../../../compose/find-price.ts";
import { localiseOffer } from "../../../compose/localise-offer.ts";
import { resolveCountry } from "../../../compose/resolve-country.ts";
import { notFound } from "../../../errors/public-error.ts";
import { operation } from "../../operation.ts";
import { zGetOfferInput, zGetOfferOutput } from "./get-offer.schema.ts";

export const getOffer = operation({
  method: "GET",
  path: "/offers/{id}",
  operationId: "getOffer",
  tag: "offers",
  summary: "Get an offer",
  description: "One store listing with its price in the region of the country.",
  isRegional: true,
  input: zGetOfferInput,
  output: zGetOfferOutput,
  resolve: async ({ ctx, input: { id, country, locale } }) => {
    const { region } = resolveCountry(ctx, country);
    const [found, [price]] = await Promise.all([
      findOffer(ctx, id, locale),
      findShownPrices(ctx, [id], region),
    ]);
    if (found === undefined) throw notFound("Offer not found");
    return { ...localiseOffer(found, locale), price: price ?? null };
  },
});
