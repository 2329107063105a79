import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import type { ReviewSchema } from "@storefront/contracts/reviews/v1/review";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { ReviewsObservationSchema } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { createGrpcTransport } from "@storefront/rpc";
import { ingestToken, serveForTests, silentLogger } from "@storefront/service-process/testing";
import type { ServedForTests } from "@storefront/service-process/testing";
import { once, refusalOf } from "@storefront/service-process/testing/calls";
import { describeOnEachMigratedDatabase, everyDriver } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { reviewsService } from "../src/reviews-service.ts";

type ReviewInit = MessageInitShape<typeof ReviewSchema>;
type Observation = MessageInitShape<typeof ReviewsObservationSchema>;

const { WRITTEN, REJECTED } = IngestOutcome;
const start = Date.UTC(2024, 0, 1);
const at = (n: number) => timestampFromDate(new Date(start + n * 1_000));

// The model of test/e2e checks lists of reviews and the summaries of their ratings.
describeOnEachMigratedDatabase("the reviews", suite, everyDriver);

function suite(testDatabase: TestDatabase): void {
  let database: Database;
  let served: ServedForTests;
  let reviews: Client<typeof ReviewsService>;
  let ingestion: Client<typeof ReviewsIngestService>;

  beforeAll(async () => {
    database = await openDatabase(testDatabase.options());
    await migrate(database, reviewsService.migrations);
    served = await serveForTests(
      "reviews",
      reviewsService.create({ database, ingestTokens: [ingestToken], logger: silentLogger }),
    );
    reviews = createClient(ReviewsService, served.connect);
    ingestion = createClient(ReviewsIngestService, served.grpc);
  });
  afterAll(async () => {
    await served.close();
    await database.close();
  });
  beforeEach(async () => {
    await database.write(
      "truncate reviews.review, reviews.tombstone, reviews.change_log restart identity",
    );
  });

  async function ingest(...observations: Observation[]) {
    for await (const response of ingestion.ingestReviews(once({ observations }), {
      timeoutMs: 10_000,
    })) {
      return response;
    }
    throw new Error("no response");
  }

  it("returns the ratings of several offers, without duplicates or unrated ones", async () => {
    await ingest(
      upsert(1, { id: "of-p", offerId: "p", rating: 8.5 }),
      upsert(1, { id: "negative-zero", offerId: "q", rating: -0 }),
      upsert(1, { id: "alone", rating: 3 }),
      upsert(1, { id: "unrated", offerId: "q", title: "No rating" }),
    );
    const { ratings } = await reviews.batchGetRatings({ offerIds: ["p", "x", "q", "p"] });
    expect(ratings).toMatchObject([{ offerId: "p", count: 1n, average: 8.5 }]);
    const { ratings: unrated } = await reviews.listReviews({ offerId: "q" });
    expect(unrated).toMatchObject({ count: 0n });
  });

  it.each([
    ["rating", { rating: 10.5 }],
    ["user.id", { user: { id: "" } }],
  ])(
    "rejects a review with an invalid %s, and accepts the others",
    async (field, fault: ReviewInit) => {
      const response = await ingest(
        upsert(1, { id: "bad", offerId: "o", ...fault }),
        upsert(1, { id: "good", offerId: "o" }),
      );
      expect(response.outcomes).toEqual([REJECTED, WRITTEN]);
      expect(response.rejections).toMatchObject([{ index: 0, field }]);
    },
  );

  it("refuses writers without the token with UNAUTHENTICATED", async () => {
    const transport = createGrpcTransport({ address: served.grpcAddress });
    const client = createClient(ReviewsIngestService, transport);
    const writing = first(client.ingestReviews(once({ observations: [] })));
    expect((await refusalOf(writing)).code).toBe(Code.Unauthenticated);
    const reading = first(client.exportReviews({}));
    expect((await refusalOf(reading)).code).toBe(Code.Unauthenticated);
    await transport.close();
  });
}

function upsert(n: number, review: ReviewInit): Observation {
  return {
    operation: ObservationOperation.UPSERT,
    observedAt: at(n),
    record: { case: "review", value: review },
  };
}

async function first(stream: AsyncIterable<unknown>): Promise<unknown> {
  return await stream[Symbol.asyncIterator]().next();
}
