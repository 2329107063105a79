import { z } from "zod";
import { knownOffer } from "../../compose/known-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../schemas/paging.ts";
import { zCountry, zOfferId } from "../../schemas/parameters.ts";
import { zPricePoint, pricePointOf } from "../../records/price.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const zListPriceHistoryOutput = z
  .object({
    elements: z.array(zPricePoint).meta({ description: "The prices of the page." }),
    ...pageEchoShape,
    total: z.int().min(0).meta({ description: "Number of prices on all pages.", example: 12 }),
  })
  .meta({
    id: "PriceHistoryPage",
    description: "A page of past and present prices, newest first.",
  });

export const listPriceHistory = operation({
  method: "GET",
  path: "/offers/{id}/price-history",
  operationId: "listPriceHistory",
  tag: "offers",
  summary: "List the prices that an offer has had",
  description:
    "Prices in the region of the country, newest `updatedAt` first, wherever the offer is sold.",
  isRegional: true,
  cost: 3,
  input: z
    .object({
      id: zOfferId,
      country: zCountry,
      ...pagingShape(50, 500),
    })
    .refine(isWithinReach, reachRule),
  failures: [404],
  output: zListPriceHistoryOutput,
  resolve: async ({ ctx, input: { id, country, page, limit } }) => {
    const { region } = resolveCountry(ctx, country);
    const request = { offerId: id, region, page, pageSize: limit };
    const [, { prices, totalSize }] = await Promise.all([
      knownOffer(ctx.clients.loadOffers(ctx, "", [id])),
      callUpstream(ctx, "pricing.ListPriceHistory", (options) =>
        ctx.clients.pricing.listPriceHistory(request, options),
      ),
    ]);
    return {
      elements: prices.map((price) => pricePointOf(price)),
      page,
      limit,
      total: Number(totalSize),
    };
  },
});
