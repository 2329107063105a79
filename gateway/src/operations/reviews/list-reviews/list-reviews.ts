import { reviewOf } from "../../../shape/review.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zListReviewsInput, zListReviewsOutput } from "./list-reviews.schema.ts";

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
