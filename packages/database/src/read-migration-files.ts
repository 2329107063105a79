import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSetupError } from "./database-setup-error.ts";

/** One step of a schema, as it stands in the code. */
export interface MigrationFile {
  /** File name without `.sql`, such as `0001_create_offers`; the order is the alphabet's. */
  name: string;
  sql: string;
  /** SHA-256 of the text in hexadecimal; line ends count as `\n`. */
  checksum: string;
}

/**
 * The `.sql` files of a directory, in order.
 *
 * @throws DatabaseSetupError MIGRATION_FILE_NAME for a `.sql` file that is not `NNNN_words.sql`, or
 * two with one number.
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
      return { name: file.slice(0, -".sql".length), sql, checksum };
    }),
  );
}
