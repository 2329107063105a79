import type { DescMessage } from "@bufbuild/protobuf";
import { serviceNames } from "@storefront/process";
import type { ServiceName } from "@storefront/process";
import { CatalogObservationSchema } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ChangelogObservationSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { PricingObservationSchema } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsObservationSchema } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import {
  SavedQuerySchema,
  SearchObservationSchema,
} from "@storefront/contracts/search/v1/search_ingest_service";
import { entryForm } from "./entry-form.ts";
import { identityOf } from "./members.ts";
import { protobufForm, recordForm } from "./record-form.ts";
import type { RecordForm } from "./record-form.ts";

/** A kind of the import format (docs/import-format.md). */
export interface Kind extends RecordForm {
  name: string;
  /** The service that stores it. */
  service: ServiceName;
  schema: DescMessage;
  /** Members that identify its records, by the contract. */
  identity: readonly string[];
}

/** The observations of each service: the members of an observation's `record` are its kinds. */
const observations: Readonly<Record<ServiceName, DescMessage>> = {
  catalog: CatalogObservationSchema,
  pricing: PricingObservationSchema,
  reviews: ReviewsObservationSchema,
  changelog: ChangelogObservationSchema,
  search: SearchObservationSchema,
};

/** Kinds whose lines do not have the record's members; such lines occur only in exports. */
const ownForms: Readonly<Record<string, RecordForm>> = {
  entry: entryForm,
  savedQuery: protobufForm(SavedQuerySchema),
};

/** Every kind by its name, from the contract's observations, whether or not a stack runs its service. */
export const kinds: ReadonlyMap<string, Kind> = new Map(
  serviceNames.flatMap(kindsOf).map((kind) => [kind.name, kind]),
);

function kindsOf(service: ServiceName): Kind[] {
  const records = observations[service].oneofs.flatMap(({ fields }) => fields);
  return records.flatMap(({ localName: name, message: schema }) => {
    if (schema === undefined) return [];
    const form = ownForms[name] ?? recordForm(schema);
    return [{ ...form, name, service, schema, identity: identityOf(schema) }];
  });
}
