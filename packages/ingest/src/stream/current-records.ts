import type { CurrentRecords } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";
import { compileKind } from "../apply/compiled-kind.ts";
import type { RecordKind } from "../record-kind.ts";
import { storedRows } from "./stored-rows.ts";

/** The current records of a service for its feed, out of the tables of its kinds. */
export function currentRecords(database: Queryable, kinds: readonly RecordKind[]): CurrentRecords {
  const compiledKinds = kinds.map(compileKind);
  return async function* read(wanted) {
    for (const compiled of compiledKinds) {
      const { kind, rowKeyColumns } = compiled;
      if (wanted?.includes(kind.name) === false) continue;
      for await (const { key, observedAt, bytes } of storedRows(
        database,
        compiled,
        rowKeyColumns,
      )) {
        yield {
          kind: kind.name,
          key,
          namespace: kind.namespace?.(compiled.decode(bytes)) ?? "",
          observedAt,
          changes: [],
          record: { schema: kind.schema, bytes },
        };
      }
    }
  };
}
