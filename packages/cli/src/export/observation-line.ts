import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { kinds, lineText } from "@storefront/import-format";
import type { Observation } from "../import/ingest-services.ts";

/**
 * What a service exports as a line of the import format, with its line feed.
 *
 * @param isRestored whether the entries of what made the record come along
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
