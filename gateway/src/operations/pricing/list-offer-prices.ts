import { z } from "zod";
import { knownOffer } from "../../compose/known-offer.ts";
import { lowsNow } from "../../compose/lows-now.ts";
import { zFieldList, pickMembers } from "../../schemas/fields.ts";
import { commaList, zLows, zOfferId } from "../../schemas/parameters.ts";
import { zPricePoint, pricePointOf } from "../../records/price.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const zListOfferPricesOutput = z
  .object({
    offerId: z
      .string()
      .meta({ description: "The offer.", example: "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b" }),
    prices: z
      .array(
        zPricePoint.partial().required({ region: true }).meta({
          id: "RegionalPrice",
          description:
            "The price of an offer in a pricing region. Without `fields` it has every member.",
        }),
      )
      .meta({ description: "One of each region that has a price, by its code." }),
  })
  .meta({ id: "OfferPrices", description: "The prices of an offer in all regions." });

export const listOfferPrices = operation({
  method: "GET",
  path: "/offers/{id}/prices",
  operationId: "listOfferPrices",
  tag: "offers",
  summary: "List the prices of an offer in all regions",
  description:
    "Every present price of the offer, wherever it is sold; none where a region has no price.",
  cost: 3,
  input: z.object({
    id: zOfferId,
    lows: zLows,
    fields: zFieldList(zPricePoint, "region", ["price", "updatedAt"]),
  }),
  failures: [404],
  output: zListOfferPricesOutput,
  resolve: async ({ ctx, input: { id, lows: withLows, fields } }) => {
    const [found, { prices, pasts }] = await Promise.all([
      knownOffer(ctx.clients.loadOffers(ctx, "", [id])),
      callUpstream(ctx, "pricing.ListOfferPrices", (options) =>
        ctx.clients.pricing.listOfferPrices({ offerId: id, withPasts: withLows }, options),
      ),
    ]);
    const names = fields === undefined ? undefined : new Set(commaList(fields));
    return {
      offerId: id,
      prices: prices.map((price, place) => {
        const lows = withLows ? lowsNow(ctx, pasts[place], found) : undefined;
        const point = pricePointOf(price, lows);
        return names === undefined ? point : { ...pickMembers(point, names), region: point.region };
      }),
    };
  },
});
