import type { RecordsWithPast } from "@storefront/change-feed";
import type { RecordKind } from "../record-kind.ts";
import type { StoredObservation } from "./stored-records.ts";

/**
 * What a service exports, for its feed.
 *
 * @param observations gives what the export gives
 */
export function recordsWithPast(
  kinds: readonly RecordKind[],
  observations: () => AsyncIterable<StoredObservation>,
): RecordsWithPast {
  const schemas = new Map(kinds.map(({ name, schema }) => [name, schema]));
  return async function* read(wanted) {
    for await (const { kind, key, observedAt, bytes, isDeletion } of observations()) {
      const schema = schemas.get(kind);
      if (schema === undefined || wanted?.includes(kind) === false) continue;
      const record = isDeletion ? undefined : { schema, bytes };
      yield { kind, key, namespace: "", observedAt, changes: [], record };
    }
  };
}
