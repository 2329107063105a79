import type { Transport } from "@connectrpc/connect";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { catalogIngest } from "../import/catalog-ingest.ts";
import { pricingIngest } from "../import/pricing-ingest.ts";
import { reviewsIngest } from "../import/reviews-ingest.ts";
import { observationLine } from "./observation-line.ts";
import type { ExportedObservation } from "./observation-line.ts";

/** The lines of one batch and how many of each kind they are. */
export interface ExportedBatch {
  text: string;
  kinds: Record<string, number>;
}

// An export takes as long as its reader.
const options = { timeoutMs: 0 };

/** How the records of a service that stores kinds are read; one that is added gets a line here. */
export const exporters: Readonly<
  Record<string, (transport: Transport) => AsyncGenerator<ExportedBatch>>
> = {
  catalog: (transport) =>
    batches(
      createClient(CatalogIngestService, transport).exportCatalog({}, options),
      catalogIngest.kinds,
    ),
  pricing: (transport) =>
    batches(
      createClient(PricingIngestService, transport).exportPricing({}, options),
      pricingIngest.kinds,
    ),
  reviews: (transport) =>
    batches(
      createClient(ReviewsIngestService, transport).exportReviews({}, options),
      reviewsIngest.kinds,
    ),
};

async function* batches(
  answers: AsyncIterable<{ observations: readonly ExportedObservation[] }>,
  schemas: Parameters<typeof observationLine>[1],
): AsyncGenerator<ExportedBatch> {
  for await (const { observations } of answers) {
    const kinds: Record<string, number> = {};
    const lines: string[] = [];
    for (const observation of observations) {
      const kind = observation.record.case ?? "";
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      lines.push(observationLine(observation, schemas));
    }
    yield { text: lines.join(""), kinds };
  }
}
