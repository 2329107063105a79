import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { recordToJson } from "@storefront/ingest";

/** An observation as a service exports it. */
export interface ExportedObservation {
  operation: ObservationOperation;
  observedAt?: Timestamp | undefined;
  record: { case: string; value: Message } | { case: undefined; value?: undefined };
}

/**
 * One line of the import format, with its line feed.
 *
 * @param schemas schema of each kind's records.
 */
export function observationLine(
  { operation, observedAt, record }: ExportedObservation,
  schemas: Readonly<Record<string, { schema: DescMessage }>>,
): string {
  const schema = record.case === undefined ? undefined : schemas[record.case]?.schema;
  if (record.case === undefined || schema === undefined || observedAt === undefined) {
    throw new Error("A service exported an observation that this version does not know.");
  }
  const line = {
    kind: record.case,
    op: operation === ObservationOperation.DELETE ? "delete" : "upsert",
    observedAt: timestampDate(observedAt).toISOString(),
    record: recordToJson(schema, record.value),
  };
  return `${JSON.stringify(line)}\n`;
}
