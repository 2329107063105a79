import { PGlite } from "@electric-sql/pglite";
import type { Extensions, PGliteOptions } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { dataDir as publishedCluster } from "@electric-sql/pglite-prepopulatedfs";
import { mkdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UnpackSync } from "tar";
import { DatabaseSetupError } from "../database-errors.ts";
import { lockDirectory } from "./lock-directory.ts";

/**
 * Version of the directory's layout: `lock`, `version` and PGlite's files in `pgdata`. Raise it when
 * an older program can no longer read what this one writes, as when PGlite moves to a newer
 * PostgreSQL than 18.
 */
const dataDirectoryVersion = 1;

/** A data directory that belongs to this process. */
interface OpenDataDirectory {
  lite: PGlite;
  /** Lets another process have the directory; after PGlite is closed. */
  unlock(): Promise<void>;
}

/**
 * Locks the directory, makes it if it is missing, and starts PGlite on it. It holds after the
 * process was killed; PGlite does not fsync, so a crash of the machine may damage it.
 *
 * @param extensions as of {@link startPglite}
 * @throws DatabaseSetupError when another process has it, or a newer version made it.
 */
export async function openDataDirectory(
  directory: string,
  extensions?: Extensions,
): Promise<OpenDataDirectory> {
  await mkdir(directory, { recursive: true });
  const unlock = await lockDirectory(directory);
  try {
    await refuseNewer(directory);
    const dataDir = join(directory, "pgdata");
    if (!(await exists(dataDir))) await initialise(directory, dataDir);
    return { lite: await startPglite({ dataDir }, extensions), unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function refuseNewer(directory: string): Promise<void> {
  const path = join(directory, "version");
  if (!(await exists(path))) return;
  if (Number(await readFile(path, "utf8")) > dataDirectoryVersion) {
    throw new DatabaseSetupError(
      "DATA_DIRECTORY_NEWER",
      `The data directory ${directory} was made by a newer version of this program.`,
    );
  }
}

/** Makes the database aside and moves it in place, so that a killed first start leaves no half. */
async function initialise(directory: string, dataDir: string): Promise<void> {
  const unfinished = join(directory, "pgdata.unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await unpackCluster(unfinished);
  await writeFile(join(directory, "version"), `${dataDirectoryVersion}\n`);
  await rename(unfinished, dataDir);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** A warning that is none: the paths in the archive are absolute, and are unpacked below the directory. */
const hintCode = "TAR_ENTRY_INFO";

/**
 * Makes PGlite's files in a directory that is not there yet, out of an archive that its publisher has
 * made: to have PostgreSQL make them takes some 4 s of processor time, and 400 MiB that a process never
 * gives back. As with PostgreSQL, no other user may read them.
 *
 * @throws Error when the archive is not whole.
 */
export async function unpackCluster(directory: string): Promise<void> {
  const archive = await publishedCluster();
  unpackArchive(Buffer.from(await archive.arrayBuffer()), directory);
}

/** Unpacks a compressed archive; see `unpackCluster`. */
export function unpackArchive(archive: Buffer, directory: string): void {
  mkdirSync(directory, { mode: 0o700 });
  // A thousand small files: one after the other by the event loop they take ten times as long.
  const unpack = new UnpackSync({
    cwd: directory,
    onwarn(code, warning) {
      if (code !== hintCode) throw typeof warning === "string" ? new Error(warning) : warning;
    },
  });
  unpack.end(archive);
}

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
