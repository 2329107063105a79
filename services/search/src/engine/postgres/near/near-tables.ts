import type { Database, Queryable } from "@storefront/database";
import type { VectorSet } from "../../index-documents.ts";
import { tablesOf } from "../tables.ts";

/**
 * Names of a set of vectors and of its copy for pgvector. The copy is a separate table, since an indexed table is
 * unreadable without pgvector's library.
 */
export interface NearTables {
  /** The stored vectors. */
  readonly stored: string;
  /** The copy, as half-precision floats. */
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

/** The schema of the copy's type, quoted; undefined without an index. */
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

/** SQLSTATEs except those of a server that is unavailable, full or shutting down, which are unrelated to pgvector. */
const refusal = /^(?!08|53|57)[0-9A-Z]{5}$/;

/** SQLSTATEs: the library is missing, or the extension's objects were dropped. */
const losses = new Set(["58P01", "42703", "42704", "42883"]);

/** The schema of pgvector 0.8 or newer, quoted; undefined where it is not installed. */
export async function findPgvector(queryable: Queryable): Promise<string | undefined> {
  const row = await queryable.readOne<{ schema: string }>(
    `select quote_ident(nspname) as schema
      from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'vector' and regexp_match(extversion, '^(\\d+)\\.(\\d+)')::int[] >= array[0, 8]`,
  );
  return row?.schema;
}

/**
 * Installs pgvector if the server has it and it is not installed. May need an administrator.
 *
 * @returns the refusal; undefined without one
 */
export async function installPgvector(database: Database): Promise<unknown> {
  const offered = await database.readOne(
    "select from pg_available_extensions where name = 'vector' and installed_version is null",
  );
  if (offered === undefined) return undefined;
  try {
    await database.write("create extension if not exists vector");
    return undefined;
  } catch (error) {
    if (refusal.test(codeOf(error))) return error;
    throw error;
  }
}

/** Whether a statement failed because pgvector is gone. */
export function isLossOfPgvector(error: unknown): boolean {
  return losses.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** A vector in pgvector's text form, with more digits than half precision. */
export function halfText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(6)).join(",")}]`;
}
