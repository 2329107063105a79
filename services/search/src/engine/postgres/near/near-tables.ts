import type { Database, Queryable } from "@storefront/database";
import type { VectorSet } from "../../index-documents.ts";
import { tablesOf } from "../tables.ts";
import { isLossOfPgvector } from "./pgvector.ts";

/**
 * Names of a set of vectors and of its copy that pgvector indexes. The copy is a table of its own: without
 * pgvector's library nothing of a table can be read that it indexes.
 */
export interface NearTables {
  /** The vectors as they are stored. */
  readonly stored: string;
  /** Halves of floats. */
  readonly near: string;
  /** Name of the copy's index, without its schema. */
  readonly index: string;
}

export function nearTablesOf(generation: number, set: VectorSet): NearTables {
  const stored = tablesOf(generation).vectors[set];
  return {
    stored,
    near: `search.g${generation}_near_${set}`,
    index: `g${generation}_near_${set}_index`,
  };
}

/** The schema of the copy's type, quoted; undefined while there is no index of it. */
export async function indexedSchema(
  queryable: Queryable,
  { near, index }: NearTables,
): Promise<string | undefined> {
  const row = await queryable.readOne<{ schema: string }>(
    `select quote_ident(nspname) as schema
      from pg_attribute
      join pg_type on pg_type.oid = atttypid
      join pg_namespace on pg_namespace.oid = typnamespace
      where attrelid = to_regclass($1) and attname = 'near' and to_regclass($2) is not null`,
    [near, `search.${index}`],
  );
  return row?.schema;
}

/**
 * Drops the copies of a generation, and those of generations that are gone: release 0.2.0 drops these without
 * their copies. What needs the library of a pgvector that is gone is left.
 */
export async function dropNearTables(database: Database, generation: number): Promise<void> {
  const rows = await database.read<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = to_regnamespace('search') and relkind = 'r'
        and relname ~ '^g[0-9]+_near_[01]$'
        and (relname like $1 or to_regclass('search.' || replace(relname, 'near', 'vector')) is null)`,
    [`g${generation}\\_near\\_%`],
  );
  for (const { name } of rows) {
    try {
      await database.transaction(
        (tx) => tx.script(`set local lock_timeout = '2s'; drop table if exists search.${name}`),
        { isUnlimited: true },
      );
    } catch (error) {
      if (!isLossOfPgvector(error)) throw error;
    }
  }
}
