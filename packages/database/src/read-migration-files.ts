import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSetupError } from "./database-errors.ts";

/** A schema and the directory that holds its migrations. */
export interface MigrationSource {
  schema: string;
  /** Path or file URL; files `0001_create_offers.sql`, forward only, never edited once applied. */
  directory: string | URL;
}

/** An index that is built while the table is read and written. */
export interface ConcurrentIndex {
  name: string;
  /** The same statement without `concurrently`, which a transaction takes. */
  plainSql: string;
}

/** One step of a schema, as it stands in the code. */
export interface MigrationFile {
  /** File name without `.sql`, such as `0001_create_offers`; the order is the alphabet's. */
  name: string;
  sql: string;
  /** SHA-256 of the text in hexadecimal; line ends count as `\n`. */
  checksum: string;
  /** What the file consists of, if it begins with `-- no transaction`. */
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

// Neither `if not exists`, which would take the invalid index that a broken build leaves for a good
// one, nor a name that depends on the search path.
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
