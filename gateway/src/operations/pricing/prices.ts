import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { Country } from "@storefront/domain/identifiers";
import { z } from "zod";
import { findPrice } from "../../compose/find-price.ts";
import { knownOffer } from "../../compose/known-offer.ts";
import { currentLows } from "../../compose/find-price.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { notFound } from "../../errors/public-error.ts";
import { zCount, zList, zObject, zString, zStrings } from "../../records/members.ts";
import { pricePointOf, zCurrencyDecimals, zPricePoint } from "../../records/price.ts";
import { pickMembers, zFieldList } from "../../schemas/fields.ts";
import { pageEchoShape, pagingShape, withinReach } from "../../schemas/paging.ts";
import { currentRegions } from "../../regions/current-regions.ts";
import { commaList, zCountry, zLows, zOfferId } from "../../schemas/parameters.ts";
import type { FoundOffer } from "../../upstream/clients.ts";
import { operation } from "../operation.ts";

export const getPrice = operation({
  path: "/offers/{id}/price",
  operationId: "getPrice",
  tag: "offers",
  summary: "Get the price of an offer",
  description:
    "The price in the region of the country. None where the offer is not sold, whatever is stored.",
  input: z.object({ id: zOfferId, country: zCountry, lows: zLows }),
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
  const isCountry = (listed: string) => listed.toUpperCase() === country;
  if (countriesBlacklist.some(isCountry)) return false;
  return countriesWhitelist.length === 0 || countriesWhitelist.some(isCountry);
}

const zListOfferPricesOutput = zObject("OfferPrices", "The prices of an offer in all regions.", {
  offerId: zString("The offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
  prices: zList(
    zPricePoint.partial().required({ region: true }).meta({
      id: "RegionalPrice",
      description:
        "The price of an offer in a pricing region. Without `fields` it has every member.",
    }),
    "One of each region that has a price, by its code.",
  ),
});

export const listOfferPrices = operation({
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
      ctx.clients.pricing.listOfferPrices(ctx, { offerId: id, withPasts: withLows }),
    ]);
    const names = fields === undefined ? undefined : new Set(commaList(fields));
    return {
      offerId: id,
      prices: prices.map((price, index) => {
        const lows = withLows ? currentLows(ctx, pasts[index], found) : undefined;
        const point = pricePointOf(price, lows);
        return names === undefined ? point : { ...pickMembers(point, names), region: point.region };
      }),
    };
  },
});

const zListPriceHistoryOutput = zObject(
  "PriceHistoryPage",
  "A page of past and present prices, newest first.",
  {
    elements: zList(zPricePoint, "The prices of the page."),
    ...pageEchoShape,
    total: zCount("Number of prices on all pages.", 12),
  },
);

export const listPriceHistory = operation({
  path: "/offers/{id}/price-history",
  operationId: "listPriceHistory",
  tag: "offers",
  summary: "List the prices that an offer has had",
  description:
    "Prices in the region of the country, newest `updatedAt` first, wherever the offer is sold.",
  isRegional: true,
  cost: 3,
  input: z.object({ id: zOfferId, country: zCountry, ...pagingShape(50, 500) }).check(withinReach),
  failures: [404],
  output: zListPriceHistoryOutput,
  resolve: async ({ ctx, input: { id, country, page, limit } }) => {
    const { region } = resolveCountry(ctx, country);
    const request = { offerId: id, region, page, pageSize: limit };
    const [, { prices, totalSize }] = await Promise.all([
      knownOffer(ctx.clients.loadOffers(ctx, "", [id])),
      ctx.clients.pricing.listPriceHistory(ctx, request),
    ]);
    const elements = prices.map((price) => pricePointOf(price));
    return { elements, page, limit, total: Number(totalSize) };
  },
});

const zListRegionsOutput = z.array(
  zObject("Region", "Where one price list applies.", {
    region: zString("Code; not always a country's.", "EURO"),
    currencyCode: zString("ISO 4217.", "EUR"),
    currencyDecimals: zCurrencyDecimals,
    countries: zStrings("ISO 3166-1 alpha-2.", ["DE", "FR"]),
  }),
);

export const listRegions = operation({
  path: "/regions",
  operationId: "listRegions",
  tag: "regions",
  summary: "List the pricing regions",
  description: "Every pricing region, its currency and its countries, ordered by code.",
  cost: 0,
  input: z.object({}),
  output: zListRegionsOutput,
  resolve: () =>
    Promise.resolve(
      currentRegions.table.regions.map(({ countries, ...region }) => ({
        ...region,
        countries: [...countries],
      })),
    ),
});
