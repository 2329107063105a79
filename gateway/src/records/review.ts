import type { Review as ReviewRecord } from "@storefront/contracts/reviews/v1/review";
import { z } from "zod";
import { instantOf } from "./instant.ts";
import { zFlag, zInstant, zText } from "./members.ts";
import type { Shows } from "./shows.ts";

export const zReview = z
  .object({
    id: z.string().meta({ description: "Id of the review.", example: "r-41d8cd98f00b" }),
    rating: z.number().nullable().meta({ description: "0 (worst) to 10 (best).", example: 8.5 }),
    title: zText.meta({ description: "Headline.", example: "Two hundred hours of tide tables" }),
    content: zText.meta({
      description: "The review.",
      example: "I came for the boats and stayed for the weather.",
    }),
    tags: z
      .array(z.string())
      .meta({ description: "What the author chose to say in a word.", example: ["relaxing"] }),
    recommended: zFlag.meta({ description: "Whether the author recommends the product." }),
    verified: zFlag.meta({ description: "The author is known to own the product." }),
    createdAt: zInstant.meta({ description: "When the review was written." }),
    updatedAt: zInstant.meta({ description: "When the review was last changed." }),
    user: z
      .object({
        id: zText.meta({ description: "Id of the author.", example: "u-8c7b6a59" }),
        displayName: zText.meta({
          description: "Name that the author goes by.",
          example: "harbourmaster",
        }),
        avatarUrl: zText.meta({
          description: "Address of the author's picture.",
          example: "https://images.example.com/avatars/8c7b6a59.png",
        }),
      })
      .meta({ id: "ReviewUser", description: "Who wrote a review." }),
  })
  .meta({ id: "Review", description: "A player's opinion of an offer. A null member is unknown." });

export type Review = z.output<typeof zReview>;

export function reviewOf(record: ReviewRecord): Shows<Review, ReviewRecord, "offerId"> {
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
