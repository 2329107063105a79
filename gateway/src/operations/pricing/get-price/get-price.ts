import { findOffer } from "../../../compose/find-offer.ts";
import { findPrice } from "../../../compose/find-price.ts";
import { resolveCountry } from "../../../compose/resolve-country.ts";
import { notFound } from "../../../errors/public-error.ts";
import { defaultLocale } from "../../../schemas/locale.ts";
import { pricePointOf } from "../../../shape/price-point.ts";
import { operation } from "../../operation.ts";
import { zGetPriceInput, zGetPriceOutput } from "./get-price.schema.ts";
import { isSoldIn } from "./is-sold-in.ts";

export const getPrice = operation({
  method: "GET",
  path: "/offers/{id}/price",
  operationId: "getPrice",
  tag: "offers",
  summary: "Get the price of an offer",
  description:
    "The price in the region of the country. None where the offer is not sold, whatever is stored.",
  input: zGetPriceInput,
  output: zGetPriceOutput,
  resolve: async ({ ctx, input }) => {
    const { country, region } = resolveCountry(ctx, input.country);
    const [found, price] = await Promise.all([
      findOffer(ctx, input.id, defaultLocale),
      findPrice(ctx, input.id, region),
    ]);
    const isPriced = found !== undefined && isSoldIn(found.offer, country);
    if (!isPriced || price === undefined) throw notFound("Price not found");
    return pricePointOf(price);
  },
});
