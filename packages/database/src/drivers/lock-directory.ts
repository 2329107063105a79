import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSetupError } from "../database-errors.ts";

/**
 * Takes the directory for this process by a file `lock` that names it. A lock whose process is gone
 * (`kill -9`, a restarted container) is taken over.
 *
 * @returns a function that gives the directory free.
 * @throws DatabaseSetupError DATA_DIRECTORY_IN_USE when a living process has it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, "lock");
  const mine = await processIdentity(process.pid);
  const draft = join(directory, `lock.${randomUUID()}`);
  await writeFile(draft, `${mine}\n`);
  try {
    // A link appears with its content and fails when the name is taken: no process sees half a lock.
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
