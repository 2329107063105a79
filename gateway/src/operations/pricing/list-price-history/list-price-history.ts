import { findOffer } from "../../../compose/find-offer.ts";
import { resolveCountry } from "../../../compose/resolve-country.ts";
import { notFound } from "../../../errors/public-error.ts";
import { defaultLocale } from "../../../schemas/locale.ts";
import { pricePointOf } from "../../../shape/price-point.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zListPriceHistoryInput, zListPriceHistoryOutput } from "./list-price-history.schema.ts";

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
  input: zListPriceHistoryInput,
  output: zListPriceHistoryOutput,
  resolve: async ({ ctx, input: { id, country, page, limit } }) => {
    const { region } = resolveCountry(ctx, country);
    const request = { offerId: id, region, page, pageSize: limit };
    const [found, { prices, totalSize }] = await Promise.all([
      findOffer(ctx, id, defaultLocale),
      callUpstream(ctx, "pricing.ListPriceHistory", (options) =>
        ctx.clients.pricing.listPriceHistory(request, options),
      ),
    ]);
    if (found === undefined) throw notFound("Offer not found");
    return { elements: prices.map(pricePointOf), page, limit, total: Number(totalSize) };
  },
});
