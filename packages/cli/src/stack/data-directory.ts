import type { Environment } from "@storefront/config";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { messageOf, UserError } from "../user-error.ts";

/** Absolute path of the data directory: the option, else `DATA_DIR`, else `.data`. */
export function dataDirectoryOf(option: string | undefined, env: Environment): string {
  return resolve(option ?? (env["DATA_DIR"] || ".data"));
}

/** The database of a stack: `DATABASE_URL`, else PGlite in the data directory. */
export function databaseUrlOf(dataDirectory: string, env: Environment): string {
  return env["DATABASE_URL"] || `pglite:${dataDirectory}`;
}

/**
 * Makes the data directory if it is missing.
 *
 * @throws UserError when it cannot be made.
 */
export async function makeDataDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (error) {
    throw new UserError(`The data directory ${directory} cannot be made: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Files of the CLI in a data directory, beside those of the database. */
export const dataFile = {
  ingestToken: (directory: string) => join(directory, "ingest-token"),
  stack: (directory: string) => join(directory, "stack.json"),
  sampleData: (directory: string) => join(directory, "sample-data.json"),
};
