import { z } from "zod";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../../schemas/paging.ts";
import { zIdentifier } from "../../../schemas/parameters.ts";
import { zReview } from "../../../schemas/review.ts";

export const zListReviewsInput = z
  .object({
    id: zIdentifier("Id of the offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
    verified: z
      .enum(["true", "false"], "must be one of true, false")
      .meta({
        description:
          "`true`: only reviews of verified owners; `false`: all others, unknown included.",
        example: "true",
      })
      .optional(),
    ...pagingShape(10, 25),
  })
  .refine(isWithinReach, reachRule);

export const zListReviewsOutput = z
  .object({
    elements: z.array(zReview).meta({ description: "The reviews of the page." }),
    ...pageEchoShape,
    total: z
      .int()
      .min(0)
      .meta({ description: "Number of matching reviews on all pages.", example: 28 }),
  })
  .meta({ id: "ReviewPage", description: "A page of reviews, newest first." });
