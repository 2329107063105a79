import type { Review as ReviewRecord } from "@storefront/contracts/reviews/v1/review";
import type { Review } from "../schemas/review.ts";
import { instantOf } from "./instant.ts";
import type { Shows } from "./shows.ts";

/** A stored review as REST shows it, without its offer, which is what was asked for. */
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
