import { z } from "zod";
import { zAggregations } from "../../../schemas/aggregations.ts";
import { offerFilterShape } from "../../../schemas/offer-query.ts";
import { zPricedOffer } from "../../../schemas/offer.ts";
import { zCountry, zLocale } from "../../../schemas/parameters.ts";
import { isAtMost, isCleanText } from "../../../schemas/text-rules.ts";

const queryMaxLength = 500;
const queryRule = `must be text of 1 to ${queryMaxLength} characters after trimming, without NUL or lone surrogates`;
const topKRule = "must be a whole number of 1 to 50";

export const zSearchOffersByMeaningInput = z.object({
  country: zCountry,
  locale: zLocale,
  query: z
    .string(queryRule)
    .overwrite((text) => text.trim())
    .refine((text) => text !== "" && isAtMost(text, queryMaxLength) && isCleanText(text), queryRule)
    .meta({
      description: "What is looked for, in the words of a person.",
      example: "a calm game about running a harbour",
      minLength: 1,
      maxLength: queryMaxLength,
    }),
  topK: z
    .number(topKRule)
    .int(topKRule)
    .min(1, topKRule)
    .max(50, topKRule)
    .default(10)
    .meta({ description: "Most matches.", example: 10 }),
  aggregations: z.boolean("must be true or false").default(false).meta({
    description: "Whether to count over the matches of the answer.",
    example: true,
  }),
  ...offerFilterShape,
});

export const zSearchOffersByMeaningOutput = z
  .object({
    query: z.string().meta({
      description: "The query, trimmed.",
      example: "a calm game about running a harbour",
    }),
    count: z.int().min(0).meta({ description: "Number of matches in this answer.", example: 1 }),
    matches: z
      .array(
        z
          .object({
            score: z.number().min(0).max(1).meta({
              description: "Higher is nearer; comparable within one answer only.",
              example: 0.82,
            }),
            offer: zPricedOffer,
          })
          .meta({ id: "MeaningMatch", description: "An offer and how near it is." }),
      )
      .meta({ description: "The offers." }),
    aggregations: zAggregations
      .meta({
        description:
          "Counts over the matches of this answer, not over all that the filters let through: those are all ranked. Only when they are asked for.",
      })
      .optional(),
  })
  .meta({ id: "MeaningMatches", description: "Offers by how near their meaning is, best first." });
