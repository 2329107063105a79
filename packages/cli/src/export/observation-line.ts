import type { Message } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { KindOf } from "../import/ingest-service.ts";

/** An observation as a service exports it. */
export interface ExportedObservation {
  operation: ObservationOperation;
  /** Absent where states have no time of their own. */
  observedAt?: Timestamp | undefined;
  record: { case: string; value: Message } | { case: undefined; value?: undefined };
}

/**
 * One line of the import format, with its line feed.
 *
 * @param kinds the kinds of the service.
 */
export function observationLine(
  { operation, observedAt, record }: ExportedObservation,
  kinds: Readonly<Record<string, Pick<KindOf<unknown>, "write">>>,
): string {
  const kind = record.case === undefined ? undefined : kinds[record.case];
  if (record.case === undefined || kind === undefined) {
    throw new Error("A service exported an observation that this version does not know.");
  }
  const line = {
    // First, since readers tell by it that the line may be long.
    ...(operation === ObservationOperation.RESTORE && { restored: true }),
    kind: record.case,
    op: operation === ObservationOperation.DELETE ? "delete" : "upsert",
    ...(observedAt !== undefined && { observedAt: timestampDate(observedAt).toISOString() }),
    record: kind.write(record.value),
  };
  return `${JSON.stringify(line)}\n`;
}
