import { PGlite } from "@electric-sql/pglite";
import type { PGliteOptions } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite-pgvector";
import { dataDir as publishedCluster } from "@electric-sql/pglite-prepopulatedfs";
import { mkdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile, link } from "node:fs/promises";
import { join } from "node:path";
import { UnpackSync } from "tar";
import { DatabaseSetupError } from "../database-errors.ts";
import { randomUUID } from "node:crypto";

/**
 * Version of the directory's layout: `lock`, `version` and PGlite's files in `pgdata`. Raise it when
 * an older program can no longer read what this one writes, as when PGlite moves to a newer
 * PostgreSQL than 18.
 */
const dataDirectoryVersion = 1;

/** A data directory that this process has locked. */
interface OpenDataDirectory {
  lite: PGlite;
  /** Unlocks the directory for other processes, after PGlite is closed. */
  unlock(): Promise<void>;
}

/**
 * Locks the directory, creates it if it is missing, and starts PGlite on it. Data survives a kill of the
 * process; PGlite does not fsync, so a crash of the machine may damage it.
 *
 * @throws DatabaseSetupError when another process has locked it, or a newer version created it.
 */
export async function openDataDirectory(directory: string): Promise<OpenDataDirectory> {
  await mkdir(directory, { recursive: true });
  const unlock = await lockDirectory(directory);
  try {
    await refuseNewer(directory);
    const dataDir = join(directory, "pgdata");
    if (!(await exists(dataDir))) await initialise(directory, dataDir);
    return { lite: await startPglite({ dataDir }), unlock };
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

/** Creates the database in another directory and renames it, so that a killed first start leaves no partial one. */
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

/** Code of a harmless warning: the paths in the archive are absolute, and are unpacked below the directory. */
const hintCode = "TAR_ENTRY_INFO";

/**
 * Unpacks PGlite's files into a new directory, from the archive of its publisher: PostgreSQL takes some 4 s of
 * processor time to create them, and 400 MiB that a process never frees. As with PostgreSQL, no other user
 * may read them.
 *
 * @throws Error when the archive is incomplete.
 */
export async function unpackCluster(directory: string): Promise<void> {
  const archive = await publishedCluster();
  unpackArchive(Buffer.from(await archive.arrayBuffer()), directory);
}

/** Unpacks a compressed archive; see `unpackCluster`. */
export function unpackArchive(archive: Buffer, directory: string): void {
  mkdirSync(directory, { mode: 0o700 });
  // A thousand small files: asynchronously they take ten times as long.
  const unpack = new UnpackSync({
    cwd: directory,
    onwarn(code, warning) {
      if (code !== hintCode) throw typeof warning === "string" ? new Error(warning) : warning;
    },
  });
  unpack.end(archive);
}

/** The server's settings for one connection on a laptop; the defaults are for more memory and disk. */
const settings = {
  // WebAssembly never frees memory, and the system caches the files as well.
  shared_buffers: "16MB",
  max_wal_size: "128MB",
  min_wal_size: "32MB",
  // Independent of the machine on which the files were created.
  timezone: "UTC",
};

const startParams = [
  ...PGlite.defaultStartParams,
  ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
];

/**
 * Starts PGlite in this process, by default in memory.
 *
 * @param files their directory, which may not exist yet; or a snapshot of them
 */
export function startPglite(
  files: Pick<PGliteOptions, "dataDir" | "loadDataDir"> = {},
): Promise<PGlite> {
  return PGlite.create({ ...files, extensions: { pg_trgm, vector }, startParams });
}

/**
 * Locks the directory for this process by a file `lock` that names it. A lock whose process has ended
 * (`kill -9`, a restarted container) is taken over.
 *
 * @returns a function that unlocks the directory.
 * @throws DatabaseSetupError DATA_DIRECTORY_IN_USE when a running process has locked it.
 */
async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, "lock");
  const mine = await processIdentity(process.pid);
  const draft = join(directory, `lock.${randomUUID()}`);
  await writeFile(draft, `${mine}\n`);
  try {
    // A link appears with its content and fails when the name exists: no process sees a partial lock.
    while (!(await tryLink(draft, path))) await removeIfStale(directory, path);
  } finally {
    await rm(draft, { force: true });
  }
  return () => rm(path, { force: true });
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function removeIfStale(directory: string, path: string): Promise<void> {
  const holder = await readIfPresent(path);
  if (holder === undefined) return;
  const pid = Number.parseInt(holder, 10);
  if (await isHolderAlive(pid, holder)) throw inUse(directory, pid);
  // Moved aside first: another process may have replaced the stale lock since it was read.
  const aside = join(directory, `lock.${randomUUID()}`);
  try {
    await rename(path, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  const moved = await readFile(aside, "utf8");
  if (moved.trim() !== holder) await tryLink(aside, path);
  await rm(aside, { force: true });
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function isHolderAlive(pid: number, holder: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
  }
  return (await processIdentity(pid)) === holder;
}

/**
 * The process id and, where /proc has it, the start time in clock ticks since boot: in a
 * restarted container another process has the same id.
 */
async function processIdentity(pid: number): Promise<string> {
  const status = await readIfPresent(`/proc/${pid}/stat`);
  // Field 22 of proc(5); counted after the name, which may itself hold spaces and parentheses.
  const startTime = status?.slice(status.lastIndexOf(")") + 2).split(" ")[19];
  return startTime === undefined ? String(pid) : `${pid} ${startTime}`;
}

function inUse(directory: string, pid: number): DatabaseSetupError {
  return new DatabaseSetupError(
    "DATA_DIRECTORY_IN_USE",
    `The data directory ${directory} is in use by process ${pid}.`,
  );
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
