// A service of ours that gives one offer out of memory, from stored bytes as all our services do.
import { toBinary } from "@bufbuild/protobuf";
import {
  CatalogService,
  GetOfferResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, providePart, serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/process";
import { sampleOffer } from "../sample-offer.ts";

const stored = toBinary(GetOfferResponseSchema, sampleOffer());
const service = "bench";
const server = await serve({
  name: service,
  host: "127.0.0.1",
  port: 0,
  grpcPort: 0,
  logger: createLogger({ service, level: "warn" }),
  metrics: createMetrics({ service }),
  services: [
    // Asynchronous, as a handler that asks a database is.
    providePart(CatalogService, { getOffer: async () => encoded(GetOfferResponseSchema, stored) }),
  ],
});
process.send?.({ port: server.port, grpcPort: server.grpcPort });
