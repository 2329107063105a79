import type { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import { z } from "zod";
import { zOneOf, zTextUpTo, zTrimmedText } from "../schemas/parameters.ts";
import type { ShownPriceLows } from "./price.ts";

const searchTextMaxLength = 512;
const filterValuesMax = 100;

const zFilterText = zTextUpTo(searchTextMaxLength);
const zFlag = z.boolean("must be true or false");

const listRule = `must be an array of at most ${filterValuesMax} texts`;

export function zFilterList(description: string, example: string[]) {
  return z
    .array(zFilterText, listRule)
    .max(filterValuesMax, listRule)
    .meta({ description, example });
}

const typeRule = `must be a text, or an array of at most ${filterValuesMax} texts, of at most ${searchTextMaxLength} characters each, without NUL or lone surrogates`;

const zOfferTypes = z
  .union([zFilterText, zFilterList("Any of these types.", ["BASE_GAME", "DLC"])], typeRule)
  .meta({ description: "A type, or several, any of them.", example: ["BASE_GAME", "DLC"] });

const zTechnologies = z
  .array(zTrimmedText("a text", searchTextMaxLength), listRule)
  .max(filterValuesMax, listRule)
  .meta({
    description: "Technologies, all of them; trimmed, and duplicates ignored.",
    example: ["Unity"],
  });

const ratingRule = "must be a number from 0 to 10";

const amountRule = "must be a whole number of minor units";
const zAmount = z.number(amountRule).int(amountRule);

const priceBounds = {
  min: zAmount
    .meta({ description: "At least this much, in minor units.", example: 500 })
    .optional(),
  max: zAmount
    .meta({ description: "At most this much, in minor units.", example: 1999 })
    .optional(),
};

const zPriceBounds = z.object(priceBounds, "must be an object with min, max or neither").meta({
  id: "PriceBounds",
  description:
    "Bounds on what is to pay in the region, inclusive. Also without bounds it drops offers that have no price there.",
  example: { min: 500, max: 1999 },
});

/** Windows of lowest prices, by their names in the search service. */
export const windows = {
  EVER: "ever",
  DAYS_365: "days365",
  DAYS_90: "days90",
  DAYS_30: "days30",
} as const satisfies Readonly<
  Record<Exclude<keyof typeof LowWindow, "UNSPECIFIED">, keyof ShownPriceLows>
>;

/** Members of a search's body that say what to find. */
export const offerFilterShape = {
  title: zFilterText.optional().meta({
    description:
      "Words that an offer must have, all of them; the last may be the beginning of one, and words of 4 letters may be misspelt in one place, of 8 in two. A blank text is none.",
    example: "moonlit harb",
  }),
  offerType: zOfferTypes.optional(),
  tags: zFilterList("Ids of tags, all of them.", ["1216"]).optional(),
  technologies: zTechnologies.optional(),
  categories: zFilterList("Category paths, any of them.", ["games"]).optional(),
  customAttributes: zFilterList("Attribute keys, any of them.", ["isManuallySet"]).optional(),
  seller: zFilterText
    .optional()
    .meta({ description: "Id of the seller.", example: "o-7f3k2m9q4w" }),
  developerDisplayName: zFilterText
    .optional()
    .meta({ description: "The developer, exactly.", example: "Moonlit Works" }),
  publisherDisplayName: zFilterText
    .optional()
    .meta({ description: "The publisher, exactly.", example: "Harbour Light Publishing" }),
  refundType: zFilterText
    .optional()
    .meta({ description: "The refund type, exactly.", example: "SELF_REFUNDABLE" }),
  isCodeRedemptionOnly: zFlag.optional().meta({
    example: true,
    description: "Whether a code is the only way to get it; false includes unknown.",
  }),
  price: zPriceBounds.optional(),
  onSale: zFlag.optional().meta({
    example: true,
    description: "True: discounted in the region. False: not, those without a price included.",
  }),
  isLowestPrice: zFlag.optional().meta({
    example: true,
    description:
      "True: discounted in the region, and as cheap there as ever on record. False is as absent.",
  }),
  lowestPriceOf: zOneOf(Object.values(windows)).optional().meta({
    description:
      "Only offers whose present price in the region is the lowest of that time, as their `lows` say: released, and not given away. Also one that was never higher.",
    example: "days365",
  }),
  minRating: z.number(ratingRule).min(0, ratingRule).max(10, ratingRule).optional().meta({
    description: "Only offers with ratings, whose mean is this or more.",
    example: 7.5,
  }),
  excludeBlockchain: zFlag.optional().meta({
    example: true,
    description: "True: drops offers whose attribute `isBlockchainUsed` is true.",
  }),
  pastGiveaways: zFlag
    .optional()
    .meta({ example: true, description: "True: only offers with a giveaway that has started." }),
};

const { offerType: _type, price: _price, ...flatFilters } = offerFilterShape;

/** The same as query parameters, which hold no objects, and no choice between a text and a list. */
export const filterParameters = {
  ...flatFilters,
  offerType: zFilterList("Types, any of them.", ["BASE_GAME", "DLC"]).optional(),
  "price.min": priceBounds.min,
  "price.max": priceBounds.max,
};
