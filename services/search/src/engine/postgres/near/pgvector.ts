import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Database, DatabaseLogger, Queryable } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";

const missing = "search by meaning needs the extension pgvector 0.8 or newer in search's database";

/** SQLSTATEs except those of a server that is unavailable, full or shutting down, which are unrelated to pgvector. */
const refusal = /^(?!08|53|57)[0-9A-Z]{5}$/;

/** SQLSTATEs: the library is missing, or the extension's objects were dropped. */
const losses = new Set(["58P01", "42703", "42704", "42883"]);

/** Looks for pgvector 0.8 or newer once, and installs it if the server has it; that may need an administrator. */
export class Pgvector {
  readonly #database: Database;
  readonly #logger: DatabaseLogger | undefined;
  #schema: Promise<string | undefined> | undefined;

  constructor(database: Database, logger: DatabaseLogger | undefined) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Its schema, quoted; undefined without it, until the next start. */
  async schema(): Promise<string | undefined> {
    this.#schema ??= this.#findOrInstall();
    return await this.#schema.catch((error: unknown) => {
      this.#schema = undefined;
      throw error;
    });
  }

  /**
   * As {@link schema}.
   *
   * @throws ServiceError FAILED_PRECONDITION, EMBEDDING_NOT_CONFIGURED, without pgvector.
   */
  async requireSchema(): Promise<string> {
    const schema = await this.schema();
    if (schema === undefined) throw pgvectorMissing();
    return schema;
  }

  /**
   * Calls `work` with the schema.
   *
   * @throws ServiceError as {@link requireSchema}, also when pgvector was dropped.
   */
  async use<Result>(work: (schema: string) => Promise<Result>): Promise<Result> {
    const schema = await this.requireSchema();
    try {
      return await work(schema);
    } catch (error) {
      throw isLossOfPgvector(error) ? pgvectorMissing(error) : error;
    }
  }

  async #findOrInstall(): Promise<string | undefined> {
    const found = await findPgvector(this.#database);
    if (found !== undefined) return found;
    const err = await install(this.#database);
    const installed = await findPgvector(this.#database);
    if (installed === undefined) this.#logger?.warn({ err }, missing);
    return installed;
  }
}

async function findPgvector(queryable: Queryable): Promise<string | undefined> {
  const row = await queryable.readOne<{ schema: string }>(
    `select quote_ident(nspname) as schema
      from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'vector' and regexp_match(extversion, '^(\\d+)\\.(\\d+)')::int[] >= array[0, 8]`,
  );
  if (row === undefined) return undefined;
  try {
    await queryable.read(`select '[1]'::${row.schema}.halfvec`);
    return row.schema;
  } catch (error) {
    // A server that was restored or replaced may lack the library.
    if (isLossOfPgvector(error)) return undefined;
    throw error;
  }
}

/** @returns the refusal; undefined without one */
async function install(database: Database): Promise<unknown> {
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

/** Whether a statement failed because pgvector is missing. */
export function isLossOfPgvector(error: unknown): boolean {
  return losses.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function pgvectorMissing(cause?: unknown): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.EMBEDDING_NOT_CONFIGURED,
    message: `${missing}: install it and restart search`,
    cause,
  });
}

/**
 * A unit vector in pgvector's text form, in ten-thousandths: whole numbers are read faster, only the order of distances
 * matters, and the candidates that they find are ranked by the stored vectors.
 */
export function vectorText(vector: Float32Array): string {
  return `[${vector.map((value) => Math.round(value * 10_000)).join(",")}]`;
}
