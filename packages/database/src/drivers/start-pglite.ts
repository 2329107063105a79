import { PGlite } from "@electric-sql/pglite";
import type { Extensions, PGliteOptions } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";

/** The server's settings for one connection on a laptop; the defaults are made for more memory and disk. */
const settings = {
  // What WebAssembly has taken it never gives back, and the system keeps the files in memory as well.
  shared_buffers: "16MB",
  max_wal_size: "128MB",
  min_wal_size: "32MB",
  // Whatever the machine says on which the files were made.
  timezone: "UTC",
};

const startParams = [
  ...PGlite.defaultStartParams,
  ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
];

/**
 * Starts PGlite in this process, by default in memory.
 *
 * @param files where its files are, or are to be made; or a snapshot of them
 * @param extensions that it has beside `pg_trgm`; default none
 */
export function startPglite(
  files: Pick<PGliteOptions, "dataDir" | "loadDataDir"> = {},
  extensions: Extensions = {},
): Promise<PGlite> {
  return PGlite.create({ ...files, extensions: { pg_trgm, ...extensions }, startParams });
}
