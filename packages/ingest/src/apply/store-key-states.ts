import { bulkDelete, bulkUpsert } from "@storefront/database";
import type { Column, RowValues, Transaction } from "@storefront/database";
import type { KeyState } from "./apply-observation.ts";
import { keyDigest, keyDigestColumn } from "./compiled-kind.ts";
import type { CompiledKind } from "./compiled-kind.ts";
import { storesSightings, storeSightings } from "./sightings.ts";

/** The primary key of a tombstone. */
export const tombstoneKey: readonly Column[] = [{ name: "kind", type: "text" }, keyDigestColumn];

const tombstoneColumns: readonly Column[] = [
  ...tombstoneKey,
  { name: "key", type: "text[]" },
  { name: "namespace", type: "text" },
  { name: "observed_at", type: "timestamptz" },
];

/** Writes the changes of the keys of one kind: rows, times of observation and tombstones. */
export async function storeKeyStates(
  tx: Transaction,
  schema: string,
  compiled: CompiledKind,
  states: Iterable<KeyState>,
): Promise<void> {
  const changed = [...states].filter((state) => state.stateChanged || state.timeChanged);
  const present = changed.filter(({ current }) => current !== undefined);
  const absent = changed.filter(({ current }) => current === undefined);
  const { kind, keyColumns, rowKeyColumns } = compiled;
  const tombstones = `${schema}.tombstone`;

  await bulkUpsert(
    tx,
    {
      table: kind.table,
      keyColumns: rowKeyColumns.map(({ name }) => name),
      columns: [
        ...new Set([...rowKeyColumns, ...keyColumns]),
        { name: "record", type: "bytea" },
        { name: "observed_at", type: "timestamptz" },
        ...kind.columns,
      ],
    },
    present.filter(({ stateChanged }) => stateChanged).map(rowOf),
  );
  await storeTimes(
    tx,
    compiled,
    present.filter(({ stateChanged }) => !stateChanged),
  );
  await bulkDelete(
    tx,
    { table: tombstones, keyColumns: tombstoneKey },
    present.filter(({ hasTombstone }) => hasTombstone).map(tombstoneOf),
  );
  await bulkDelete(
    tx,
    { table: kind.table, keyColumns: rowKeyColumns },
    absent.filter(({ hasRow }) => hasRow).map(({ key }) => compiled.keyValues(key)),
  );
  await bulkUpsert(
    tx,
    {
      table: tombstones,
      keyColumns: tombstoneKey.map(({ name }) => name),
      columns: tombstoneColumns,
    },
    absent.map(tombstoneOf),
  );
}

/** Writes only the times, of records that were only seen again. */
async function storeTimes(
  tx: Transaction,
  compiled: CompiledKind,
  states: readonly KeyState[],
): Promise<void> {
  if (states.length === 0) return;
  if (await storesSightings(tx, compiled)) await storeSightings(tx, compiled, states);
  else await moveTimes(tx, compiled, states);
}

/** Updates `observed_at` in the records' rows, from which releases before 0.3.0 read it. */
async function moveTimes(
  tx: Transaction,
  compiled: CompiledKind,
  states: readonly KeyState[],
): Promise<void> {
  const { kind, rowKeyColumns } = compiled;
  const names = rowKeyColumns.map(({ name }) => name);
  const arrays = rowKeyColumns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  await tx.write(
    `update ${kind.table} as stored set observed_at = moved.observed_at
      from unnest(${arrays.join(", ")}, $${names.length + 1}::timestamptz[])
        as moved(${names.join(", ")}, observed_at)
      where ${names.map((name) => `stored.${name} = moved.${name}`).join(" and ")}`,
    [
      ...names.map((name) => states.map(({ key }) => compiled.keyValues(key)[name])),
      states.map(({ observedAtMs }) => new Date(observedAtMs ?? 0).toISOString()),
    ],
  );
}

function rowOf({ compiled, key, current, observedAtMs }: KeyState): RowValues {
  if (current === undefined) throw new TypeError("a deleted record has no row");
  const row: Record<string, unknown> = {
    ...compiled.keyValues(key),
    record: current.bytes,
    observed_at: new Date(observedAtMs ?? 0),
  };
  for (const column of compiled.kind.columns) row[column.name] = column.value(current.record);
  return row;
}

function tombstoneOf({ compiled, key, namespace, observedAtMs }: KeyState): RowValues {
  return {
    kind: compiled.kind.name,
    key_digest: keyDigest(key),
    key,
    namespace,
    observed_at: new Date(observedAtMs ?? 0),
  };
}
