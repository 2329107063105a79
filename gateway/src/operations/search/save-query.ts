import { z } from "zod";
import { findOfferPage } from "../../compose/find-offer-page.ts";
import { resolveAnyCountry } from "../../compose/resolve-country.ts";
import { zPricedOffer } from "../../records/offer.ts";
import {
  offerPageShape,
  searchExample,
  searchParameters,
  zOfferSearchInput,
} from "./search-offers/search-offers.ts";
import { offerQueryOf } from "../../records/offer-query.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { mutation } from "../operation.ts";

const zSaveQueryOutput = z
  .object({
    elements: z
      .array(zPricedOffer)
      .meta({ description: "Those of the page that still exist, each with its price." }),
    ...offerPageShape,
    query: z.string().meta({
      description:
        "Id of the saved query: 32 hexadecimal digits, the same for all bodies that ask for the same.",
      example: "9e107d9d372bb6826bd81d3542a419d6",
    }),
  })
  .meta({ id: "SavedQueryPage", description: "A page of found offers, and the id of the query." });

export const saveQuery = mutation({
  method: "POST",
  path: "/search",
  operationId: "saveQuery",
  tag: "search",
  summary: "Search offers and save the query",
  description:
    "Legacy: to search, use `searchOffers`, which answers with counts as well. This search keeps the query, under an id that tells bodies apart which ask for something else, for `getSavedQuery` and `countFacets`; its canonical form may have at most 8 KiB, and it is kept for 90 days after its last use. A country that is in no region counts as `US`.",
  deprecated: { since: "2026-11-21" },
  bodyExample: searchExample,
  query: searchParameters,
  cost: 10,
  input: zOfferSearchInput,
  output: zSaveQueryOutput,
  resolve: async ({ ctx, input }) => {
    const { country, locale, lows, page, limit, ...body } = input;
    const { region } = resolveAnyCountry(ctx, country);
    const query = offerQueryOf(body);
    const [{ queryId }, { found, offers }] = await Promise.all([
      callUpstream(ctx, "search.SaveQuery", (options) =>
        ctx.clients.search.saveQuery({ query }, options),
      ),
      findOfferPage(ctx, { query, region, locale, lows, page, limit }),
    ]);
    return { elements: offers, page, limit, total: Number(found.totalSize), query: queryId };
  },
});
