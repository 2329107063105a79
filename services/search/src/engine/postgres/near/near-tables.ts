import type { Database, Queryable } from "@storefront/database";
import type { VectorSet } from "../../index-documents.ts";
import { tablesOf } from "../tables.ts";
import { isLossOfPgvector } from "./pgvector.ts";

/**
 * Names of a set of vectors and of its copy for pgvector. The copy is a separate table, since a table that pgvector
 * indexes is unreadable without its library, and release 0.2.0 writes and reads the stored vectors.
 */
export interface NearTables {
  /** The stored vectors, as bytes. */
  readonly stored: string;
  /** The copy. */
  readonly near: string;
  /** Name of the copy's index, without its schema. */
  readonly index: string;
}

/** At most this many are compared one by one, which is as fast as an index. */
export const fewVectors = 5_000;

export function nearTablesOf(generation: number, set: VectorSet): NearTables {
  const stored = tablesOf(generation).vectors[set];
  return {
    stored,
    near: `search.g${generation}_near_${set}`,
    index: `g${generation}_near_${set}_index`,
  };
}

/** The type that the index has. WebAssembly computes with half precision in twice the time. */
export function indexedType({ driver }: Pick<Database, "driver">): "vector" | "halfvec" {
  return driver === "pglite" ? "vector" : "halfvec";
}

export async function isIndexed(queryable: Queryable, { index }: NearTables): Promise<boolean> {
  const row = await queryable.readOne("select where to_regclass($1) is not null", [
    `search.${index}`,
  ]);
  return row !== undefined;
}

/**
 * Drops the copies of a generation, and for release 0.2.0, which drops generations without their copies, those of
 * dropped ones. Tables that need a missing pgvector library stay.
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
