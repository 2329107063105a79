import { toBinary } from "@bufbuild/protobuf";
import type { DescField, DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { timestampFromMs } from "@storefront/import-format";
import { encoded, EncodedWriter } from "@storefront/rpc";
import type { OwnedRecords } from "./ingest-handler.ts";
import { storedDeletions, storedRecords } from "./stored-records.ts";
import type { StoredObservation } from "./stored-records.ts";

/** A response is sent when it has this many observations or bytes: with the last, less than the 4 MiB that any gRPC client reads. */
const batchObservations = 1_000;
const batchBytes = 512 * 1024;

/** The messages of a service's export. */
export interface ExportMessages<Response extends DescMessage> {
  /** Its observation: `operation`, `observed_at` and a oneof whose cases are the kinds. */
  readonly observationSchema: DescMessage;
  /** Its response, with a field `observations`. */
  readonly responseSchema: Response;
}

/**
 * The body of an export RPC: kind by kind all stored records, by identity, then the deletions of that
 * kind, as observations. Memory stays constant, stored bytes are sent undecoded. Concurrent writes may or
 * may not be included.
 */
export function exportHandler<Response extends DescMessage>(
  records: OwnedRecords,
  messages: ExportMessages<Response>,
): () => AsyncGenerator<MessageInitShape<Response>> {
  return () => toBatches(messages, everythingStored(records));
}

/** Groups observations into responses. */
export async function* toBatches<Response extends DescMessage>(
  { observationSchema, responseSchema }: ExportMessages<Response>,
  observations: AsyncIterable<StoredObservation>,
): AsyncGenerator<MessageInitShape<Response>> {
  const encode = observationEncoder(observationSchema);
  async function* serialized(): AsyncGenerator<Uint8Array> {
    for await (const observation of observations) yield encode(observation);
  }
  yield* batchesOf(responseSchema, serialized());
}

/** Groups serialized observations into responses with a field `observations`. */
export async function* batchesOf<Response extends DescMessage>(
  responseSchema: Response,
  observations: AsyncIterable<Uint8Array>,
): AsyncGenerator<MessageInitShape<Response>> {
  const { number } = fieldOf(responseSchema, "observations");
  let batch: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const bytes of observations) {
    batch.push(bytes);
    sizeBytes += bytes.length;
    if (batch.length >= batchObservations || sizeBytes >= batchBytes) {
      yield encoded(responseSchema, new EncodedWriter().messages(number, batch).finish());
      batch = [];
      sizeBytes = 0;
    }
  }
  if (batch.length > 0) {
    yield encoded(responseSchema, new EncodedWriter().messages(number, batch).finish());
  }
}

/** Kind by kind all stored records, by identity, then the deletions of that kind. */
export async function* everythingStored({
  database,
  schema,
  kinds,
}: Pick<OwnedRecords, "database" | "schema" | "kinds">): AsyncGenerator<StoredObservation> {
  for (const kind of kinds) {
    yield* storedRecords(database, kind);
    yield* storedDeletions(database, schema, kind);
  }
}

function observationEncoder(schema: DescMessage): (observation: StoredObservation) => Uint8Array {
  const operation = fieldOf(schema, "operation").number;
  const observedAtField = fieldOf(schema, "observedAt").number;
  return ({ kind, observedAt, bytes, isDeletion }) =>
    new EncodedWriter()
      .varint(operation, isDeletion ? ObservationOperation.DELETE : ObservationOperation.UPSERT)
      .message(observedAtField, toBinary(TimestampSchema, timestampFromMs(observedAt.getTime())))
      .message(fieldOf(schema, kind).number, bytes)
      .finish();
}

function fieldOf(schema: DescMessage, localName: string): DescField {
  const field = schema.field[localName];
  if (field === undefined) throw new TypeError(`${schema.typeName} has no field ${localName}`);
  return field;
}
