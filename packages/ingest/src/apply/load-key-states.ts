import type { Transaction } from "@storefront/database";
import { Snapshot } from "./apply-observation.ts";
import type { KeyState } from "./apply-observation.ts";
import { keyDigest, keyText } from "./compiled-kind.ts";
import type { CompiledKind } from "./compiled-kind.ts";
import { seenAtSql } from "./sightings.ts";

interface StoredRow {
  /** Which of the wanted keys, from 1. */
  position: number;
  /** Seconds since 1970, with fraction: `extract` would give a slower numeric. */
  observed_at_s: number;
  record: Uint8Array;
}

interface Tombstone {
  key: string[];
  observed_at: Date;
  namespace: string;
}

/**
 * The stored states of the given keys of one kind, by `keyText`, including unknown keys. Read under the
 * writers' lock.
 */
export async function loadKeyStates(
  tx: Transaction,
  schema: string,
  compiled: CompiledKind,
  keys: readonly (readonly string[])[],
): Promise<Map<string, KeyState>> {
  const rows = await tx.read<StoredRow>(
    storedRowsSql(compiled),
    compiled.rowKeyColumns.map(({ name }) => keys.map((key) => compiled.keyValues(key)[name])),
  );
  const rowOf = new Map(rows.map((row) => [row.position, row]));
  const states = new Map<string, KeyState>();
  const withoutRow: (readonly string[])[] = [];
  for (const [index, key] of keys.entries()) {
    const row = rowOf.get(index + 1);
    const state = newKeyState(compiled, key, row !== undefined);
    states.set(keyText(key), state);
    // A key has a row or a tombstone, never both.
    if (row === undefined) withoutRow.push(key);
    else {
      state.observedAtMs = Math.round(row.observed_at_s * 1_000);
      state.current = Snapshot.stored(compiled, row.record);
    }
  }
  for (const { key, observed_at, namespace } of await tombstonesOf(
    tx,
    schema,
    compiled,
    withoutRow,
  )) {
    states.set(keyText(key), {
      ...newKeyState(compiled, key, false),
      observedAtMs: observed_at.getTime(),
      namespace,
      hasTombstone: true,
    });
  }
  return states;
}

async function tombstonesOf(
  tx: Transaction,
  schema: string,
  compiled: CompiledKind,
  keys: readonly (readonly string[])[],
): Promise<Tombstone[]> {
  if (keys.length === 0) return [];
  return await tx.read<Tombstone>(
    `select key, observed_at, namespace from ${schema}.tombstone
      where kind = $1 and key_digest = any($2::bytea[])`,
    [compiled.kind.name, keys.map(keyDigest)],
  );
}

function newKeyState(compiled: CompiledKind, key: readonly string[], hasRow: boolean): KeyState {
  return {
    compiled,
    key,
    observedAtMs: undefined,
    current: undefined,
    namespace: "",
    hasRow,
    hasTombstone: false,
    stateChanged: false,
    timeChanged: false,
  };
}

// Rows have the position of their key, which costs less than returning the key. With the limit the planner
// does not scan a table of less than a hundred thousand rows completely for each batch.
function storedRowsSql(compiled: CompiledKind): string {
  const { kind, rowKeyColumns } = compiled;
  const arrays = rowKeyColumns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const names = rowKeyColumns.map(({ name }) => name);
  return `select wanted.position::int4 as position, found.observed_at_s, found.record
    from unnest(${arrays.join(", ")}) with ordinality as wanted(${names.join(", ")}, position)
    cross join lateral (
      select date_part('epoch', ${seenAtSql(compiled, "stored")}) as observed_at_s, stored.record
      from ${kind.table} as stored
      where ${names.map((name) => `stored.${name} = wanted.${name}`).join(" and ")} limit 1
    ) as found`;
}
