import type { Review as ReviewRecord } from "@storefront/contracts/reviews/v1/review";
import type { Review } from "../schemas/review.ts";
import { instantOf } from "./instant.ts";

/** A stored review as REST shows it. */
export function reviewOf(record: ReviewRecord): Review {
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
