import type { Transport } from "@connectrpc/connect";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { SearchIngestService } from "@storefront/contracts/search/v1/search_ingest_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { catalogIngest } from "../import/catalog-ingest.ts";
import { changelogIngest } from "../import/changelog-ingest.ts";
import { pricingIngest } from "../import/pricing-ingest.ts";
import { reviewsIngest } from "../import/reviews-ingest.ts";
import { searchIngest } from "../import/search-ingest.ts";
import { observationLine } from "./observation-line.ts";
import type { ExportedObservation } from "./observation-line.ts";

/** The lines of one batch and how many of each kind they are. */
export interface ExportedBatch {
  text: string;
  kinds: Record<string, number>;
}

/** What an export knows of the stack. */
export interface ExportOptions {
  /** Whether the changelog's entries are exported too. */
  hasChangelog: boolean;
}

// An export takes as long as its reader.
const callOptions = { timeoutMs: 0 };

/**
 * How what a service stores is read, in the order of the file; one that is added gets a line here.
 * The changelog comes after the catalog: it then has the entries of every state that was given.
 */
export const exporters: Readonly<
  Record<string, (transport: Transport, options: ExportOptions) => AsyncGenerator<ExportedBatch>>
> = {
  catalog: (transport, { hasChangelog }) =>
    batches(
      createClient(CatalogIngestService, transport).exportCatalog({}, callOptions),
      catalogIngest.kinds,
      hasChangelog,
    ),
  pricing: (transport) =>
    batches(
      createClient(PricingIngestService, transport).exportPricing({}, callOptions),
      pricingIngest.kinds,
    ),
  reviews: (transport) =>
    batches(
      createClient(ReviewsIngestService, transport).exportReviews({}, callOptions),
      reviewsIngest.kinds,
    ),
  changelog: (transport) =>
    batches(
      createClient(ChangelogIngestService, transport).exportChangelog({}, callOptions),
      changelogIngest.kinds,
    ),
  search: (transport) =>
    batches(
      createClient(SearchIngestService, transport).exportSearch({}, callOptions),
      searchIngest.kinds,
    ),
};

/** @param isRestored whether what made these states is in the export too, so that it is not made again. */
async function* batches(
  answers: AsyncIterable<{ observations: readonly ExportedObservation[] }>,
  kindsOfService: Parameters<typeof observationLine>[1],
  isRestored = false,
): AsyncGenerator<ExportedBatch> {
  for await (const { observations } of answers) {
    const kinds: Record<string, number> = {};
    const lines: string[] = [];
    for (const observation of observations) {
      const kind = observation.record.case ?? "";
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      const given = isRestored ? restored(observation) : observation;
      lines.push(observationLine(given, kindsOfService));
    }
    yield { text: lines.join(""), kinds };
  }
}

function restored(observation: ExportedObservation): ExportedObservation {
  return observation.operation === ObservationOperation.UPSERT
    ? { ...observation, operation: ObservationOperation.RESTORE }
    : observation;
}
