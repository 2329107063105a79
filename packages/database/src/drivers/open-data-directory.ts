import type { Extensions, PGlite } from "@electric-sql/pglite";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSetupError } from "../database-errors.ts";
import { lockDirectory } from "./lock-directory.ts";
import { startPglite } from "./start-pglite.ts";
import { unpackCluster } from "./unpack-cluster.ts";

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
