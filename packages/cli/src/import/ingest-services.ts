import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import type { CallOptions, Transport } from "@connectrpc/connect";
import { serviceNames } from "@storefront/config";
import type { ServiceName } from "@storefront/config";
import {
  CatalogIngestService,
  CatalogObservationSchema,
} from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { CatalogObservation } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import {
  ChangelogIngestService,
  ChangelogObservationSchema,
} from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { ChangelogObservation } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import {
  PricingIngestService,
  PricingObservationSchema,
} from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { PricingObservation } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import {
  ReviewsIngestService,
  ReviewsObservationSchema,
} from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { ReviewsObservation } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import {
  SavedQuerySchema,
  SearchIngestService,
  SearchObservationSchema,
} from "@storefront/contracts/search/v1/search_ingest_service";
import type { SearchObservation } from "@storefront/contracts/search/v1/search_ingest_service";
import type {
  IngestOutcome,
  ObservationOperation,
  Rejection,
} from "@storefront/contracts/type/v1/observation";
import { identityOf } from "@storefront/ingest";
import { entryForm } from "./entry-form.ts";
import { protobufForm, recordForm } from "./record-form.ts";
import type { RecordForm } from "./record-form.ts";

/** One observation of any service, on its way there or from there. */
export interface Observation {
  operation: ObservationOperation;
  /** Absent where states have no time of their own. */
  observedAt?: Timestamp | undefined;
  record: { case: string; value: Message } | { case: undefined; value?: undefined };
}

type Batches<Of> = AsyncIterable<{ observations: Of[] }>;

/** A service's answer to one batch. */
export interface BatchAnswer {
  outcomes: readonly IngestOutcome[];
  rejections: readonly Rejection[];
}

/** The ingest RPCs of one service. */
export interface IngestService {
  /** What it takes: each member of its `record` is a kind of the import format. */
  observation: DescMessage;
  /** Opens the stream; answers come in the order of the batches. */
  ingest(
    transport: Transport,
    batches: Batches<Observation>,
    options: CallOptions,
  ): AsyncIterable<BatchAnswer>;
  /** Gives everything stored. */
  export(transport: Transport, options: CallOptions): Batches<Observation>;
  /** Absent where no record can be forgotten. */
  forget?(
    transport: Transport,
    record: { kind: string; key: string[] },
  ): Promise<{ wasStored: boolean; observedAt?: Timestamp | undefined }>;
}

/** How each service is written to and read whole; one that is added to the project gets an entry here. */
export const ingestServices: Readonly<Record<ServiceName, IngestService>> = {
  catalog: {
    observation: CatalogObservationSchema,
    ingest: (transport, batches: Batches<CatalogObservation>, options) =>
      createClient(CatalogIngestService, transport).ingestCatalog(batches, options),
    export: (transport, options) =>
      createClient(CatalogIngestService, transport).exportCatalog({}, options),
    forget: (transport, record) =>
      createClient(CatalogIngestService, transport).forgetRecord(record),
  },
  pricing: {
    observation: PricingObservationSchema,
    ingest: (transport, batches: Batches<PricingObservation>, options) =>
      createClient(PricingIngestService, transport).ingestPricing(batches, options),
    export: (transport, options) =>
      createClient(PricingIngestService, transport).exportPricing({}, options),
    forget: (transport, record) =>
      createClient(PricingIngestService, transport).forgetRecord(record),
  },
  reviews: {
    observation: ReviewsObservationSchema,
    ingest: (transport, batches: Batches<ReviewsObservation>, options) =>
      createClient(ReviewsIngestService, transport).ingestReviews(batches, options),
    export: (transport, options) =>
      createClient(ReviewsIngestService, transport).exportReviews({}, options),
    forget: (transport, record) =>
      createClient(ReviewsIngestService, transport).forgetRecord(record),
  },
  changelog: {
    observation: ChangelogObservationSchema,
    ingest: (transport, batches: Batches<ChangelogObservation>, options) =>
      createClient(ChangelogIngestService, transport).ingestChangelog(batches, options),
    export: (transport, options) =>
      createClient(ChangelogIngestService, transport).exportChangelog({}, options),
  },
  search: {
    observation: SearchObservationSchema,
    ingest: (transport, batches: Batches<SearchObservation>, options) =>
      createClient(SearchIngestService, transport).ingestSearch(batches, options),
    export: (transport, options) =>
      createClient(SearchIngestService, transport).exportSearch({}, options),
  },
};

/** A kind of the import format (docs/import-format.md). */
export interface Kind extends RecordForm {
  name: string;
  /** The service that stores it. */
  service: ServiceName;
  /** Members that tell its records apart, as the contract says. */
  identity: readonly string[];
}

/** Kinds whose lines are written otherwise than the record's members; no source but an export gives them. */
const ownForms: Readonly<Record<string, RecordForm>> = {
  entry: entryForm,
  savedQuery: protobufForm(SavedQuerySchema),
};

/** Every kind by its name, as the contract's observations tell them, whether or not a stack runs its service. */
export const kinds: ReadonlyMap<string, Kind> = new Map(
  serviceNames.flatMap(kindsOf).map((kind) => [kind.name, kind]),
);

function kindsOf(service: ServiceName): Kind[] {
  const records = ingestServices[service].observation.oneofs.flatMap(({ fields }) => fields);
  return records.flatMap(({ localName: name, message }) => {
    if (message === undefined) return [];
    const form = ownForms[name] ?? recordForm(message);
    return [{ ...form, name, service, identity: identityOf(message) }];
  });
}
