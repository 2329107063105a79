import { CommitSignal, provideFeed } from "@storefront/change-feed";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import type { Database } from "@storefront/database";
import { currentRecords } from "@storefront/ingest";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { Metrics } from "@storefront/telemetry";
import { exportReviews } from "./rpc/export-reviews.ts";
import { forgetRecord } from "./rpc/forget-record.ts";
import { ingestReviews } from "./rpc/ingest-reviews.ts";
import { listReviews } from "./rpc/list-reviews.ts";
import { reviewKinds } from "./review-kind.ts";
import { ReviewStore } from "./store/review-store.ts";

/** What the reviews' services are made of. */
export interface RouteDependencies {
  database: Database;
  ingestTokens: readonly string[];
  /** Where the log and what is ingested are reported; default nowhere. */
  metrics: Metrics | undefined;
}

/** Every service of the reviews with its handlers. */
export function routes({ database, ingestTokens, metrics }: RouteDependencies): ProvidedService[] {
  const commits = new CommitSignal();
  return [
    provide(ReviewsService, { listReviews: listReviews({ reviews: new ReviewStore(database) }) }),
    provide(
      ReviewsIngestService,
      {
        ingestReviews: commits.after(ingestReviews({ database, metrics })),
        exportReviews: exportReviews({ database }),
        forgetRecord: forgetRecord({ database, commits }),
      },
      { tokens: ingestTokens },
    ),
    provideFeed({
      database,
      schema: "reviews",
      records: currentRecords(database, reviewKinds),
      commits,
      metrics,
    }),
    provideHealth([databaseProbe(database)]),
  ];
}
