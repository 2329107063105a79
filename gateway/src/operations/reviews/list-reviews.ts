import { z } from "zod";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../schemas/paging.ts";
import { zOfferId } from "../../schemas/parameters.ts";
import { zReview, reviewOf } from "../../records/review.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const zListReviewsInput = z
  .object({
    id: zOfferId,
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

const zListReviewsOutput = z
  .object({
    elements: z.array(zReview).meta({ description: "The reviews of the page." }),
    ...pageEchoShape,
    total: z
      .int()
      .min(0)
      .meta({ description: "Number of matching reviews on all pages.", example: 28 }),
  })
  .meta({ id: "ReviewPage", description: "A page of reviews, newest first." });

export const listReviews = operation({
  method: "GET",
  path: "/offers/{id}/reviews",
  operationId: "listReviews",
  tag: "offers",
  summary: "List the reviews of an offer",
  description:
    "Reviews, newest `createdAt` first. An offer that nobody reviewed, or nobody knows, has none.",
  cost: 3,
  input: zListReviewsInput,
  output: zListReviewsOutput,
  resolve: async ({ ctx, input: { id, verified, page, limit } }) => {
    const request = {
      offerId: id,
      page,
      pageSize: limit,
      ...(verified === undefined ? {} : { verified: verified === "true" }),
    };
    const { reviews, totalSize } = await callUpstream(ctx, "reviews.ListReviews", (options) =>
      ctx.clients.reviews.listReviews(request, options),
    );
    return { elements: reviews.map(reviewOf), page, limit, total: Number(totalSize) };
  },
});
