import { z } from "zod";
import { zAggregations } from "../../../schemas/aggregations.ts";
import { offerPageShape, zFoundOffers, zOfferSearchInput } from "../../../schemas/offer-search.ts";

export const zSearchOffersInput = zOfferSearchInput.safeExtend({
  aggregations: z.boolean("must be true or false").default(true).meta({
    description:
      "Whether to count over all pages. Without it `aggregations` is empty: for another page, or another order, of what was counted before.",
    example: true,
  }),
});

export const zSearchOffersOutput = z
  .object({
    total: offerPageShape.total,
    offers: zFoundOffers,
    page: offerPageShape.page,
    limit: offerPageShape.limit,
    aggregations: zAggregations,
    meta: z
      .object({
        ms: z
          .int()
          .min(0)
          .meta({ description: "Milliseconds that the search engine took.", example: 4 }),
        timed_out: z
          .boolean()
          .meta({ description: "The engine stopped before it had seen everything." }),
        cached: z.boolean().meta({ description: "The answer came from a cache." }),
      })
      .meta({ id: "SearchMeta", description: "How the answer came about." }),
  })
  .meta({
    id: "OfferSearchPage",
    description: "A page of found offers, and counts over all of them.",
  });
