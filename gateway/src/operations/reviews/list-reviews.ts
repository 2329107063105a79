import type { Review as ReviewRecord } from "@storefront/contracts/reviews/v1/review";
import { z } from "zod";
import { instantOf } from "../../records/instant.ts";
import {
  zCount,
  zFlag,
  zInstant,
  zList,
  zObject,
  zString,
  zStrings,
  zText,
} from "../../records/members.ts";
import { reviewSummaryOf, zReviewSummary } from "../../records/review-summary.ts";
import type { Mapped } from "../../records/mapped-fields.ts";
import { pageEchoShape, pagingShape, withinReach } from "../../schemas/paging.ts";
import { zOfferId, zOneOf } from "../../schemas/parameters.ts";
import { operation } from "../operation.ts";

const zReview = zObject("Review", "A player's opinion of an offer. A null member is unknown.", {
  id: zString("Id of the review.", "r-41d8cd98f00b"),
  rating: z.number().nullable().meta({ description: "0 (worst) to 10 (best).", example: 8.5 }),
  title: zText("Headline.", "Two hundred hours of tide tables"),
  content: zText("The review.", "I came for the boats and stayed for the weather."),
  tags: zStrings("What the author chose to say in a word.", ["relaxing"]),
  recommended: zFlag("Whether the author recommends the product."),
  verified: zFlag("The author is known to own the product."),
  createdAt: zInstant("When the review was written."),
  updatedAt: zInstant("When the review was last changed."),
  user: zObject("ReviewUser", "Who wrote a review.", {
    id: zText("Id of the author.", "u-8c7b6a59"),
    displayName: zText("Name that the author goes by.", "harbourmaster"),
    avatarUrl: zText(
      "Address of the author's picture.",
      "https://images.example.com/avatars/8c7b6a59.png",
    ),
  }),
});

type Review = z.output<typeof zReview>;

const zListReviewsInput = z
  .object({
    id: zOfferId,
    verified: zOneOf(["true", "false"])
      .meta({
        description:
          "`true`: only reviews of verified owners; `false`: all others, unknown included.",
        example: "true",
      })
      .optional(),
    ...pagingShape(10, 25),
  })
  .check(withinReach);

const zListReviewsOutput = zObject("ReviewPage", "A page of reviews, newest first.", {
  elements: zList(zReview, "The reviews of the page."),
  ...pageEchoShape,
  total: zCount("Number of matching reviews on all pages.", 28),
  reviewSummary: zReviewSummary.nullable().meta({
    description:
      "Ratings of the matching reviews on all pages; null while the reviews service is too old to give them.",
  }),
});

export const listReviews = operation({
  path: "/offers/{id}/reviews",
  operationId: "listReviews",
  tag: "offers",
  summary: "List the reviews of an offer",
  description:
    "Reviews, newest `createdAt` first. An offer without reviews, or an unknown one, has none.",
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
    const { reviews, totalSize, ratings } = await ctx.clients.reviews.listReviews(ctx, request);
    return {
      elements: reviews.map(reviewOf),
      page,
      limit,
      total: Number(totalSize),
      reviewSummary: ratings === undefined ? null : reviewSummaryOf(ratings),
    };
  },
});

function reviewOf(record: ReviewRecord): Mapped<Review, ReviewRecord, "offerId"> {
  return {
    id: record.id,
    rating: record.rating ?? null,
    title: record.title ?? null,
    content: record.content ?? null,
    tags: record.tags,
    recommended: record.recommended ?? null,
    verified: record.verified ?? null,
    createdAt: instantOf(record.createdAt),
    updatedAt: instantOf(record.updatedAt),
    user: {
      id: record.user?.id ?? null,
      displayName: record.user?.displayName ?? null,
      avatarUrl: record.user?.avatarUrl ?? null,
    },
  };
}
