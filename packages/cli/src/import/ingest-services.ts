import type { Message } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import type { CallOptions, Transport } from "@connectrpc/connect";
import type { ServiceName } from "@storefront/process";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { CatalogObservation } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { ChangelogObservation } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { PricingObservation } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { ReviewsObservation } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { SearchIngestService } from "@storefront/contracts/search/v1/search_ingest_service";
import type { SearchObservation } from "@storefront/contracts/search/v1/search_ingest_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { IngestOutcome, Rejection } from "@storefront/contracts/type/v1/observation";
import { kinds, lineText } from "@storefront/import-format";

/** One observation, to or from any service. */
export interface Observation {
  operation: ObservationOperation;
  /** Absent where states have no time of their own. */
  observedAt?: Timestamp | undefined;
  record: { case: string; value: Message } | { case: undefined; value?: undefined };
}

type Batches<Of> = AsyncIterable<{ observations: Of[] }>;

/** A service's response to one batch. */
export interface BatchResponse {
  outcomes: readonly IngestOutcome[];
  rejections: readonly Rejection[];
}

/** The ingest RPCs of one service. */
interface IngestService {
  /** Opens the stream; responses are in the order of the batches. */
  ingest(
    transport: Transport,
    batches: Batches<Observation>,
    options: CallOptions,
  ): AsyncIterable<BatchResponse>;
  /** The same for another stack's observations, whose entries are imported too; absent where a write makes none. */
  mirror?(
    transport: Transport,
    batches: Batches<Observation>,
    options: CallOptions,
  ): AsyncIterable<BatchResponse>;
  /** Streams everything stored. */
  export(transport: Transport, options: CallOptions): Batches<Observation>;
  /** Absent where no record can be forgotten. */
  forget?(
    transport: Transport,
    record: { kind: string; key: string[]; isMirrored?: boolean },
  ): Promise<{ wasStored: boolean; observedAt?: Timestamp | undefined }>;
}

/** How each service is imported into and exported; a new service needs an entry here. */
export const ingestServices: Readonly<Record<ServiceName, IngestService>> = {
  catalog: {
    ingest: (transport, batches: Batches<CatalogObservation>, options) =>
      createClient(CatalogIngestService, transport).ingestCatalog(batches, options),
    mirror: (transport, batches: Batches<CatalogObservation>, options) =>
      createClient(CatalogIngestService, transport).mirrorCatalog(batches, options),
    export: (transport, options) =>
      createClient(CatalogIngestService, transport).exportCatalog({}, options),
    forget: (transport, record) =>
      createClient(CatalogIngestService, transport).forgetRecord(record),
  },
  pricing: {
    ingest: (transport, batches: Batches<PricingObservation>, options) =>
      createClient(PricingIngestService, transport).ingestPricing(batches, options),
    export: (transport, options) =>
      createClient(PricingIngestService, transport).exportPricing({}, options),
    forget: (transport, record) =>
      createClient(PricingIngestService, transport).forgetRecord(record),
  },
  reviews: {
    ingest: (transport, batches: Batches<ReviewsObservation>, options) =>
      createClient(ReviewsIngestService, transport).ingestReviews(batches, options),
    export: (transport, options) =>
      createClient(ReviewsIngestService, transport).exportReviews({}, options),
    forget: (transport, record) =>
      createClient(ReviewsIngestService, transport).forgetRecord(record),
  },
  changelog: {
    ingest: (transport, batches: Batches<ChangelogObservation>, options) =>
      createClient(ChangelogIngestService, transport).ingestChangelog(batches, options),
    export: (transport, options) =>
      createClient(ChangelogIngestService, transport).exportChangelog({}, options),
  },
  search: {
    ingest: (transport, batches: Batches<SearchObservation>, options) =>
      createClient(SearchIngestService, transport).ingestSearch(batches, options),
    export: (transport, options) =>
      createClient(SearchIngestService, transport).exportSearch({}, options),
  },
};

/**
 * An exported observation as a line of the import format, with its line feed.
 *
 * @param isRestored whether the export has the entries of the record too
 */
export function observationLine(
  { operation, observedAt, record }: Observation,
  isRestored: boolean,
): string {
  const kind = kinds.get(record.case ?? "");
  if (record.case === undefined || kind === undefined) {
    throw new Error("A service exported an observation that this version does not know.");
  }
  const isDeletion = operation === ObservationOperation.DELETE;
  return lineText({
    isRestored: (isRestored && !isDeletion) || operation === ObservationOperation.RESTORE,
    kind: kind.name,
    op: isDeletion ? "delete" : "upsert",
    observedAt,
    record: kind.write(record.value),
  });
}
