import type { OfferId } from "@storefront/domain/identifiers";
import { reviewSummaryOf } from "../records/review-summary.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { isUnimplemented } from "../upstream/upstream-error.ts";
import { bestEffort } from "./best-effort.ts";

/** How long a response waits for optional ratings, in milliseconds. */
const ratingsBudgetMs = 1000;

/** The summaries inside offers, in the order of the ids; none of them when the reviews service fails or is too slow. */
export async function findReviewSummaries(ctx: RequestContext, offerIds: readonly OfferId[]) {
  const { reviews } = ctx.clients;
  const found = await bestEffort(ctx, "reviews", ratingsBudgetMs, (scope) =>
    reviews.batchGetRatings(scope, { offerIds: [...offerIds] }).catch((error: unknown) => {
      // As for other members that a service of an earlier release does not have: without them, and uncached.
      if (!isUnimplemented(error)) throw error;
      ctx.reads?.noteUnfollowed();
      return undefined;
    }),
  );
  if (found === undefined) return [];
  const ratingsOf = new Map(found.ratings.map((ratings) => [ratings.offerId, ratings]));
  return offerIds.map((id) => reviewSummaryOf(ratingsOf.get(id)));
}
