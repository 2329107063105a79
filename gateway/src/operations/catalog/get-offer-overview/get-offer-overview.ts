import { findOffer } from "../../../compose/find-offer.ts";
import { findShownPrices } from "../../../compose/find-price.ts";
import { localiseOffer } from "../../../compose/localise-offer.ts";
import { resolveCountry } from "../../../compose/resolve-country.ts";
import { notFound } from "../../../errors/public-error.ts";
import { operation } from "../../operation.ts";
import { findOverviewParts } from "./find-overview-parts.ts";
import { zGetOfferOverviewInput, zGetOfferOverviewOutput } from "./get-offer-overview.schema.ts";
import { offerOverviewOf } from "./offer-overview.ts";

export const getOfferOverview = operation({
  method: "GET",
  path: "/offers/{id}/overview",
  operationId: "getOfferOverview",
  tag: "offers",
  summary: "Get an offer and everything about it",
  description:
    "The offer without a price inside, and beside it its price, media, features, age rating, giveaways, polls, genres and technologies. A part that is unavailable is null or empty, and the answer says so in `Catalog-Degraded`.",
  cost: 3,
  input: zGetOfferOverviewInput,
  output: zGetOfferOverviewOutput,
  resolve: async ({ ctx, input: { id, locale, country: named } }) => {
    const { country, region } = resolveCountry(ctx, named);
    // An unknown offer is answered at once, without waiting for the parts.
    const findKnown = async () => {
      const found = await findOffer(ctx, id, locale);
      if (found === undefined) throw notFound("Offer not found");
      return found;
    };
    const [found, [price], parts] = await Promise.all([
      findKnown(),
      findShownPrices(ctx, [id], region),
      findOverviewParts(ctx, id),
    ]);
    const offer = localiseOffer(found, locale);
    return offerOverviewOf({ ...parts, found, offer, price: price ?? null, country });
  },
});
