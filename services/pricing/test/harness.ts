import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  IngestPricingRequestSchema,
  PricingIngestService,
} from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type {
  IngestPricingResponse,
  PricingObservationSchema,
} from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { migrate, openDatabase } from "@storefront/database";
import type { Database, DatabaseOptions } from "@storefront/database";
import { asRegion } from "@storefront/domain/identifiers";
import { firstRegions } from "@storefront/domain/regions";
import { createGrpcTransport } from "@storefront/rpc";
import { ingestToken, serveForTests, silentLogger } from "@storefront/service-process/testing";
import { pricingService } from "../src/pricing-service.ts";

/** An observation as it is sent. */
export type ObservationInit = MessageInitShape<typeof PricingObservationSchema>;

/** A running pricing service, with clients for both of its ports. */
export interface RunningPricing {
  readonly database: Database;
  readonly pricing: Client<typeof PricingService>;
  /** Calls the ingest service with the token, or another one. */
  ingestClient(token?: string): Client<typeof PricingIngestService>;
  /** Sends batches in order; returns their responses. */
  ingest(...batches: ObservationInit[][]): Promise<IngestPricingResponse[]>;
  /** The whole export, in batches that can be sent unchanged. */
  exported(): Promise<ObservationInit[][]>;
  close(): Promise<void>;
}

/** Serves the pricing service on free ports. */
export async function startPricing(options: DatabaseOptions): Promise<RunningPricing> {
  const database = await openDatabase(options);
  await migrate(database, pricingService.migrations);
  const served = await serveForTests(
    "pricing",
    pricingService.create({ database, ingestTokens: [ingestToken], logger: silentLogger }),
  );
  const closing = [() => served.close()];

  function ingestClient(token: string = ingestToken): Client<typeof PricingIngestService> {
    const grpc = createGrpcTransport({ address: served.grpcAddress, token });
    closing.push(() => grpc.close());
    return createClient(PricingIngestService, grpc);
  }
  const ingesting = createClient(PricingIngestService, served.grpc);

  return {
    database,
    pricing: createClient(PricingService, served.connect),
    ingestClient,
    ingest: (...batches) => Array.fromAsync(ingesting.ingestPricing(requests(batches))),
    exported: async () => {
      const responses = await Array.fromAsync(ingesting.exportPricing({}));
      return responses.map(({ observations }) => observations);
    },
    close: async () => {
      for (const close of closing) await close();
      await database.close();
    },
  };
}

/** Requests as a stream. */
export async function* requests(
  batches: readonly (readonly ObservationInit[])[],
): AsyncGenerator<MessageInitShape<typeof IngestPricingRequestSchema>> {
  for (const observations of batches) {
    yield create(IngestPricingRequestSchema, { observations: [...observations] });
  }
}

/** The instant of a day of 2024, at noon. */
export function day(number: number): Date {
  return new Date(Date.UTC(2024, 0, number, 12));
}

/** A price that was observed on a day, which is also its `updated_at`. */
export function priceSeen(
  number: number,
  offerId: string,
  amounts: { original: bigint; now: bigint },
  region = "US",
  currencyCode = firstRegions.get(asRegion(region))?.currencyCode ?? "USD",
): ObservationInit {
  return {
    observedAt: timestampFromDate(day(number)),
    record: {
      case: "price",
      value: {
        offerId,
        region,
        price: {
          currencyCode,
          originalPrice: amounts.original,
          discountPrice: amounts.now,
        },
        updatedAt: timestampFromDate(day(number)),
      },
    },
  };
}
