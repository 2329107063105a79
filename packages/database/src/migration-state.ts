import type { Logger } from "@storefront/process";
import { DatabaseSetupError, sqlState } from "./database-errors.ts";
import type { Database, Queryable } from "./database.ts";
import { cachedWhileIdle } from "./idle/polling.ts";
import { quoteIdentifier } from "./sql-text.ts";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** How the migrations of a schema compare with those of the code. */
interface MigrationState {
  /** Migrations of the code that the database lacks, in order. */
  pending: MigrationFile[];
  /** Names of migrations of a newer version, in order. */
  newer: string[];
}

/** SQLSTATE `undefined_table`. */
const undefinedTable = "42P01";

/**
 * Compares the migrations of the schema with those of the code. Unknown ones are a newer version's if their
 * number is higher than the code's last: adjacent versions run side by side, and the newer one preserves
 * the tables that the older one needs.
 *
 * @throws DatabaseSetupError MIGRATION_CHANGED when an applied file was edited, MIGRATION_UNKNOWN
 * when the schema has one that is neither in the code nor newer.
 */
export async function readMigrationState(
  queryable: Queryable,
  schema: string,
  files: readonly MigrationFile[],
): Promise<MigrationState> {
  const applied = await queryable.read<{ name: string; checksum: string }>(
    `select name, checksum from ${quoteIdentifier(`${schema}.migration`)} order by name collate "C"`,
  );
  const pending = new Map(files.map((file) => [file.name, file]));
  const lastNumber = numberOf(files.at(-1)?.name ?? "0000");
  const newer: string[] = [];
  for (const { name, checksum } of applied) {
    const file = pending.get(name);
    if (file === undefined) {
      if (numberOf(name) <= lastNumber) {
        throw new DatabaseSetupError(
          "MIGRATION_UNKNOWN",
          `The database schema ${schema} has the migration ${name}, which is neither this program's nor newer.`,
        );
      }
      newer.push(name);
    } else if (file.checksum === checksum) {
      pending.delete(name);
    } else {
      throw new DatabaseSetupError(
        "MIGRATION_CHANGED",
        `The migration ${name} of the database schema ${schema} was edited after it had been applied.`,
      );
    }
  }
  return { pending: [...pending.values()], newer };
}

/** As {@link readMigrationState}; in a database without the schema everything is pending. */
async function readMigrationStateIfAny(
  queryable: Queryable,
  schema: string,
  files: readonly MigrationFile[],
): Promise<MigrationState> {
  try {
    return await readMigrationState(queryable, schema, files);
  } catch (error) {
    if (sqlState(error) !== undefinedTable) throw error;
    return { pending: [...files], newer: [] };
  }
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}

/**
 * The readiness check of a service: rejects until the database has the service's own migrations, and names
 * the missing ones. Newer ones are logged once.
 *
 * Probes are frequent, so the files are read once. The table is read each time, by one statement, which
 * also detects an unavailable database, and one that was restored from an older dump. An idle database
 * that is suspended is not read.
 */
export function migrationCheck(
  db: Database,
  { schema, directory }: MigrationSource,
  logger: Pick<Logger, "info">,
): () => Promise<void> {
  let files: readonly MigrationFile[] | undefined;
  let logged = "";
  return cachedWhileIdle(db.polling, async () => {
    files ??= await readMigrationFiles(directory);
    const { pending, newer } = await readMigrationStateIfAny(db, schema, files);
    const newest = newer.at(-1);
    if (newest !== undefined && newest > logged) {
      logger.info({ schema, newer }, "a newer version has migrated the database");
      logged = newest;
    }
    if (pending.length > 0) {
      throw new Error(`migrations are missing: ${pending.map(({ name }) => name).join(", ")}`);
    }
  });
}

/** Names of migrations, in order. */
export interface MigrationComparison {
  /** Migrations that `migrate` would apply; empty when the database has all that the code needs. */
  pending: string[];
  /** Migrations of a newer version. */
  newer: string[];
}

/**
 * Compares the migrations of the database with those of the code.
 *
 * @throws DatabaseSetupError MIGRATION_CHANGED when an applied file was edited, MIGRATION_UNKNOWN
 * when the database has one that is neither in the code nor newer.
 */
export async function compareMigrations(
  db: Database,
  { schema, directory }: MigrationSource,
): Promise<MigrationComparison> {
  const files = await readMigrationFiles(directory);
  const { pending, newer } = await readMigrationStateIfAny(db, schema, files);
  return { pending: pending.map(({ name }) => name), newer };
}

/** A schema and the directory of its migrations. */
export interface MigrationSource {
  schema: string;
  /** Path or file URL; files `0001_create_offers.sql`, forward only, never edited once applied. */
  directory: string | URL;
}

/** An index that is built while the table is read and written. */
export interface ConcurrentIndex {
  name: string;
  /** The same statement without `concurrently`, for a transaction. */
  plainSql: string;
}

/** One step of a schema, as in the code. */
export interface MigrationFile {
  /** File name without `.sql`, such as `0001_create_offers`; the order is alphabetical. */
  name: string;
  sql: string;
  /** SHA-256 of the text in hexadecimal; line ends count as `\n`. */
  checksum: string;
  /** The index of a file that begins with `-- no transaction`. */
  concurrentIndex: ConcurrentIndex | undefined;
}

/**
 * The `.sql` files of a directory, in order.
 *
 * @throws DatabaseSetupError MIGRATION_FILE_NAME for a `.sql` file that is not `NNNN_words.sql`, or
 * two with one number; MIGRATION_FILE_FORM for one without a transaction that is not one
 * `create index concurrently NAME on SCHEMA.TABLE`.
 */
export async function readMigrationFiles(directory: string | URL): Promise<MigrationFile[]> {
  const path = typeof directory === "string" ? directory : fileURLToPath(directory);
  const files = (await readdir(path)).filter((file) => file.endsWith(".sql")).toSorted();
  const numbers = new Set<string>();
  for (const file of files) {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1];
    if (number === undefined || numbers.has(number)) {
      throw new DatabaseSetupError(
        "MIGRATION_FILE_NAME",
        `The migration ${file} must be named like 0001_create_offers.sql, with a number of its own.`,
      );
    }
    numbers.add(number);
  }
  return Promise.all(
    files.map(async (file) => {
      const sql = (await readFile(join(path, file), "utf8")).replaceAll("\r\n", "\n");
      const checksum = createHash("sha256").update(sql).digest("hex");
      const name = file.slice(0, -".sql".length);
      return { name, sql, checksum, concurrentIndex: concurrentIndexOf(name, sql) };
    }),
  );
}

// Neither `if not exists`, which would accept the invalid index of an interrupted build, nor a name that
// depends on the search path.
const concurrentIndexForm =
  /^(create(?:\s+unique)?\s+index)\s+concurrently\s+([a-z_][a-z0-9_]*)(\s+on\s+[a-z_]+\.[a-z_].*)$/is;

function concurrentIndexOf(name: string, sql: string): ConcurrentIndex | undefined {
  if (!sql.startsWith("-- no transaction\n")) return undefined;
  const statement = sql.replaceAll(/^\s*--.*$/gm, "").trim();
  const [, create, index, rest] = concurrentIndexForm.exec(statement) ?? [];
  if (create === undefined || index === undefined || rest === undefined) {
    throw new DatabaseSetupError(
      "MIGRATION_FILE_FORM",
      `The migration ${name} has no transaction, so it must be one statement of the form: create [unique] index concurrently NAME on SCHEMA.TABLE …`,
    );
  }
  return { name: index, plainSql: `${create} ${index}${rest}` };
}
