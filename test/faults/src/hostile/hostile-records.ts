import { create, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, Message, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { CatalogObservationSchema } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { PricingObservationSchema } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsObservationSchema } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { hostileObservations } from "@storefront/testkit/hostile-observations";
import type { HostileKind, HostileObservation } from "@storefront/testkit/hostile-observations";
import * as fc from "fast-check";

/** Identities other than `id`. */
const identities: Readonly<Record<string, readonly string[]>> = {
  offerText: ["offerId", "locale"],
  asset: ["artifactId", "platform", "namespace"],
  offerDetails: ["offerId"],
  ageRating: ["namespace", "ratingSystem"],
  ranking: ["collection", "offerId"],
  price: ["offerId", "region"],
};

/** Size limit of a batch; a request may have 4 MiB. */
const batchBytes = 3 * 1024 * 1024;

/** Observations of one owner, in batches as its ingest takes them. */
export interface HostileBatches<Desc extends DescMessage> {
  readonly kinds: readonly HostileKind[];
  /** Returns `count` batches, the same for the same seed. */
  sample(count: number, seed: number): MessageShape<Desc>[][];
}

export const catalogBatches = batchesOf(CatalogObservationSchema, {
  locale: fc.constantFrom("de", "fr", "zh-Hant-TW", "de_DE"),
  nullMembers: fc.subarray(["seller", "tags", "title"]),
});
export const pricingBatches = batchesOf(PricingObservationSchema, {
  region: fc.constantFrom("US", "MX2", "us"),
});
export const reviewsBatches = batchesOf(ReviewsObservationSchema, {});

function batchesOf<Desc extends DescMessage>(
  schema: Desc,
  vocabularies: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): HostileBatches<Desc> {
  const kinds = kindsOf(schema);
  const observations = hostileObservations(kinds, vocabularies);
  const batches = fc.array(observations, { minLength: 20, maxLength: 40 });
  return {
    kinds,
    sample: (count, seed) =>
      fc.sample(batches, { numRuns: count, seed }).map((batch) => {
        const messages = batch.map((observation) => messageOf(schema, observation));
        return fitting(schema, messages);
      }),
  };
}

/** The identity members of a record. */
export function keyOf(kind: string, record: Message): unknown[] {
  const members = new Map<string, unknown>(Object.entries(record));
  return (identities[kind] ?? ["id"]).map((name) => members.get(name));
}

/** The kinds of an owner: the cases of its observation. */
function kindsOf(schema: DescMessage): HostileKind[] {
  return schema.fields.flatMap(({ oneof, localName, message }) =>
    oneof === undefined || message === undefined
      ? []
      : [{ name: localName, schema: message, identity: identities[localName] ?? ["id"] }],
  );
}

function messageOf<Desc extends DescMessage>(
  schema: Desc,
  { kind, operation, observedAt, record }: HostileObservation,
): MessageShape<Desc> {
  const init: Record<string, unknown> = {
    operation: operation === "delete" ? ObservationOperation.DELETE : ObservationOperation.UPSERT,
    observedAt: timestampFromDate(observedAt),
    record: { case: kind, value: record },
  };
  return create(schema, init as MessageInitShape<Desc>);
}

/** The messages that can be sent at all, as many as fit into one request. */
function fitting<Desc extends DescMessage>(
  schema: Desc,
  messages: readonly MessageShape<Desc>[],
): MessageShape<Desc>[] {
  let roomBytes = batchBytes;
  return messages.filter((message) => {
    const sizeBytes = sizeOf(schema, message);
    if (sizeBytes > roomBytes) return false;
    roomBytes -= sizeBytes;
    return true;
  });
}

/** Infinite for messages that protobuf cannot encode, such as those with a lone surrogate. */
function sizeOf<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): number {
  try {
    return toBinary(schema, message).length;
  } catch {
    return Infinity;
  }
}
