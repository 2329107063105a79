import type { Ratings } from "@storefront/contracts/reviews/v1/reviews_service";
import { z } from "zod";
import type { Mapped } from "./mapped-fields.ts";
import { zCount, zObject } from "./members.ts";

export const zReviewSummary = zObject(
  "ReviewSummary",
  "Ratings of reviews; a rating of 0 is none.",
  {
    count: zCount("Number of rated reviews.", 57),
    average: z
      .number()
      .nullable()
      .meta({ description: "Mean, to two decimals; null when there is none.", example: 7.84 }),
    histogram: z
      .array(z.int().min(0))
      .length(10)
      .meta({
        description: "How many rate it 1, 2, and so on up to 10; a fraction counts below.",
        example: [1, 0, 2, 1, 3, 5, 9, 14, 12, 10],
      }),
  },
);

type ReviewSummary = z.output<typeof zReviewSummary>;

/** @param ratings undefined when there are none */
export function reviewSummaryOf(
  ratings: Ratings | undefined,
): Mapped<ReviewSummary, Ratings, "offerId"> {
  const { count = 0n, average, histogram = [] } = ratings ?? {};
  return {
    count: Number(count),
    average: average ?? null,
    histogram: Array.from({ length: 10 }, (_, index) => Number(histogram[index] ?? 0n)),
  };
}
