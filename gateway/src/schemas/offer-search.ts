import { z } from "zod";
import { offerQueryShape } from "./offer-query.ts";
import { zPricedOffer } from "./offer.ts";
import { isWithinSearchReach, pageEchoShape, pagingShape, searchReachRule } from "./paging.ts";
import { zCountry, zLocale, zLows } from "./parameters.ts";

const limitRule = "must be a whole number of 1 to 100";

/** The query parameters of a search; the other members of its input are the body. */
export const searchParameters = ["country", "locale", "lows"] as const;

/** A body to try. */
export const searchExample = {
  offerType: ["BASE_GAME", "DLC"],
  onSale: true,
  price: { max: 1999 },
  sortBy: "discountPercent",
  limit: 20,
};

/** Input of a search for offers. */
export const zOfferSearchInput = z
  .object({
    country: zCountry,
    locale: zLocale,
    lows: zLows,
    ...offerQueryShape,
    page: pagingShape(10, 100).page,
    limit: z
      .number(limitRule)
      .int(limitRule)
      .min(1, limitRule)
      .max(100, limitRule)
      .default(10)
      .meta({ description: "Most offers on a page.", example: 10 }),
  })
  .refine(isWithinSearchReach, searchReachRule);

/** Members of every answer that is a page of found offers. */
export const offerPageShape = {
  ...pageEchoShape,
  total: z.int().min(0).meta({ description: "Number of found offers on all pages.", example: 42 }),
};

/** A page's offers. */
export const zFoundOffers = z
  .array(zPricedOffer)
  .meta({ description: "Those of the page that still exist, each with its price." });

const zHighlights = z
  .object({
    title: z.string().optional().meta({
      description: "The title; absent when nothing in it matched, or another one is shown.",
      example: "<mark>Moonlit</mark> <mark>Harbour</mark>",
    }),
    description: z.string().optional().meta({
      description:
        "At most 200 characters of the description, where most matched; absent when nothing in it matched, or another one is shown.",
      example: "A calm game about running a <mark>harbour</mark>.",
    }),
  })
  .meta({
    id: "Highlights",
    description:
      "What the words of a search matched in an offer, as HTML: escaped text with each match in a `mark` element.",
  });

export type Highlights = z.output<typeof zHighlights>;

/** An offer that a search by text found, with what matched if that is asked for. */
export const zFoundOffer = zPricedOffer
  .extend({
    highlights: zHighlights.optional().meta({
      description: "Only with `highlight`, in a search by `title`.",
    }),
  })
  .meta({ id: "FoundOffer", description: "A found offer with its price in one region." });

export type FoundOffer = z.output<typeof zFoundOffer>;
