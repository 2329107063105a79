import { z } from "zod";
import { zText } from "./parameters.ts";
import { isAtMost, isCleanText } from "./text-rules.ts";

/** Most characters of a text in a search. */
export const searchTextMaxLength = 512;

/** Most values of one filter. */
export const filterValuesMax = 100;

/** What offers can be sorted by. */
export const sortFields = [
  "releaseDate",
  "lastModifiedDate",
  "effectiveDate",
  "creationDate",
  "viewableDate",
  "pcReleaseDate",
  "upcoming",
  "priceAsc",
  "priceDesc",
  "price",
  "discount",
  "discountPercent",
  "priceUpdatedAt",
  "giveawayDate",
] as const;

export type SortField = (typeof sortFields)[number];

const sortDirections = ["asc", "desc"] as const;

const zFilterText = zText(searchTextMaxLength);
const zFlag = z.boolean("must be true or false");

const listRule = `must be an array of at most ${filterValuesMax} texts`;

function zFilterList(description: string, example: string[]) {
  return z
    .array(zFilterText, listRule)
    .max(filterValuesMax, listRule)
    .meta({ description, example });
}

const typeRule = `must be a text, or an array of at most ${filterValuesMax} texts, of at most ${searchTextMaxLength} characters each, without NUL or lone surrogates`;

const zOfferTypes = z
  .union([zFilterText, zFilterList("Any of these types.", ["BASE_GAME", "DLC"])], typeRule)
  .meta({ description: "A type, or several, any of them.", example: ["BASE_GAME", "DLC"] });

const technologyRule = `must be a text of 1 to ${searchTextMaxLength} characters after trimming, without NUL or lone surrogates`;

const zTechnologies = z
  .array(
    z
      .string(technologyRule)
      .overwrite((name) => name.trim())
      .refine(
        (name) => name !== "" && isAtMost(name, searchTextMaxLength) && isCleanText(name),
        technologyRule,
      )
      .meta({ minLength: 1, maxLength: searchTextMaxLength }),
    listRule,
  )
  .max(filterValuesMax, listRule)
  .meta({
    description: "Technologies, all of them; trimmed, and duplicates ignored.",
    example: ["Unity"],
  });

const amountRule = "must be a whole number of minor units";
const zAmount = z.number(amountRule).int(amountRule);

const zPriceBounds = z
  .object(
    {
      min: zAmount
        .meta({ description: "At least this much, in minor units.", example: 500 })
        .optional(),
      max: zAmount
        .meta({ description: "At most this much, in minor units.", example: 1999 })
        .optional(),
    },
    "must be an object with min, max or neither",
  )
  .meta({
    id: "PriceBounds",
    description:
      "Bounds on what is to pay in the region, inclusive. Also without bounds it drops offers that have no price there.",
    example: { min: 500, max: 1999 },
  });

const oneOf = (values: readonly string[]) => `must be one of ${values.join(", ")}`;

/** Members of a search's body that say what is looked for. */
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
  isCodeRedemptionOnly: zFlag
    .optional()
    .meta({ description: "Whether a code is the only way to get it; false includes unknown." }),
  price: zPriceBounds.optional(),
  onSale: zFlag.optional().meta({
    description: "True: discounted in the region. False: not, those without a price included.",
  }),
  isLowestPrice: zFlag.optional().meta({
    description:
      "True: discounted in the region, and as cheap there as ever on record. False is as absent.",
  }),
  excludeBlockchain: zFlag
    .optional()
    .meta({ description: "True: drops offers whose attribute `isBlockchainUsed` is true." }),
  pastGiveaways: zFlag
    .optional()
    .meta({ description: "True: only offers with a giveaway that has started." }),
};

/** The same, and in which order. */
export const offerQueryShape = {
  ...offerFilterShape,
  sortBy: z.enum(sortFields, oneOf(sortFields)).optional().meta({
    description:
      "Without it, relevance when there is a `title`, else `lastModifiedDate`. A missing value is last in both directions. `priceAsc` and `priceDesc` disregard `sortDir`; `releaseDate`, `upcoming` and `giveawayDate` narrow what is found.",
  }),
  sortDir: z
    .enum(sortDirections, oneOf(sortDirections))
    .optional()
    .meta({ description: "Default `desc`; for `upcoming` that is nearest first." }),
};

const zOfferQuery = z.object(offerQueryShape);

export type OfferQueryBody = z.output<typeof zOfferQuery>;

/** A saved query: the one spelling of all bodies that ask for the same. */
export const zSavedQuery = z
  .object({
    ...offerQueryShape,
    offerType: zFilterList("Any of these types.", ["BASE_GAME", "DLC"]).optional(),
  })
  .meta({
    id: "SavedQuery",
    description:
      "A search's body in its canonical form: lists are sorted and without duplicates, what is the default is absent.",
  });

export type SavedQuery = z.output<typeof zSavedQuery>;
