// A service of ours that returns one offer from memory, as stored bytes like all our services.
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
    // Asynchronous, like a handler that queries a database.
    providePart(CatalogService, { getOffer: async () => encoded(GetOfferResponseSchema, stored) }),
  ],
});
process.send?.({ port: server.port, grpcPort: server.grpcPort });
