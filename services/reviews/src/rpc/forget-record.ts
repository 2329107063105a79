import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitSignal } from "@storefront/change-feed";
import type { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { Database } from "@storefront/database";
import { forgetHandler } from "@storefront/ingest";
import { reviewKinds } from "../review-kind.ts";

export function forgetRecord(deps: {
  database: Database;
  /** Told when it was committed. */
  commits: CommitSignal;
}): ServiceImpl<typeof ReviewsIngestService>["forgetRecord"] {
  return forgetHandler({ ...deps, schema: "reviews", kinds: reviewKinds });
}
