import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { Country } from "@storefront/identifiers";
import { z } from "zod";
import { findPrice } from "../../compose/find-price.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { notFound } from "../../errors/public-error.ts";
import { zCountry, zLows, zOfferId } from "../../schemas/parameters.ts";
import { zPricePoint } from "../../records/price.ts";
import type { FoundOffer } from "../../upstream/clients.ts";
import { operation } from "../operation.ts";

export const getPrice = operation({
  method: "GET",
  path: "/offers/{id}/price",
  operationId: "getPrice",
  tag: "offers",
  summary: "Get the price of an offer",
  description:
    "The price in the region of the country. None where the offer is not sold, whatever is stored.",
  input: z.object({
    id: zOfferId,
    country: zCountry,
    lows: zLows,
  }),
  failures: [404],
  output: zPricePoint,
  resolve: async ({ ctx, input }) => {
    const { country, region } = resolveCountry(ctx, input.country);
    const finding = ctx.clients.loadOffers(ctx, "", [input.id]);
    const [price] = await Promise.all([
      findPrice(ctx, input.id, region, input.lows ? finding : undefined),
      requireSold(finding, country),
    ]);
    if (price === undefined) throw notFound("Price not found");
    return price;
  },
});

/** @throws NOT_FOUND for an offer that is unknown, or whose lists do not let it be sold in the country */
async function requireSold(
  finding: Promise<readonly (FoundOffer | undefined)[]>,
  country: Country,
): Promise<void> {
  const [found] = await finding;
  if (found === undefined || !isSoldIn(found.offer, country)) throw notFound("Price not found");
}

function isSoldIn({ countriesBlacklist, countriesWhitelist }: Offer, country: Country): boolean {
  const holdsCountry = (listed: string) => listed.toUpperCase() === country;
  if (countriesBlacklist.some(holdsCountry)) return false;
  return countriesWhitelist.length === 0 || countriesWhitelist.some(holdsCountry);
}
