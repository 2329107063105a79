import type { Database, Queryable } from "@storefront/database";

/** SQLSTATEs but for those of a server that is away, is full or was told to stop: those say nothing of pgvector. */
const refusal = /^(?!08|53|57)[0-9A-Z]{5}$/;

/** SQLSTATEs: its library is gone, or what its statements name was dropped with it. */
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
 * Installs pgvector if the server has it and it is not installed. It may be an administrator's to do.
 *
 * @returns why it was refused; undefined when it was not.
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

/** Whether a statement failed because the server has no pgvector any more. */
export function isLossOfPgvector(error: unknown): boolean {
  return losses.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** A vector as pgvector reads it; more digits than halves of floats hold. */
export function halfText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(6)).join(",")}]`;
}
