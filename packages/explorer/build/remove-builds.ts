import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** What a build is called until it is whole. Two processes may build at once: each has its own folder. */
export function unfinishedName(name: string): string {
  return `.${name}-${process.pid}`;
}

/**
 * Removes the builds beside the one that is kept: those that are whole, and those that a process has left
 * which was killed. A gateway that runs has its pages in memory, so that it does not miss them.
 */
export async function removeOtherBuilds(parent: string, kept: string): Promise<void> {
  const names = await readdir(parent);
  await Promise.all(
    names
      .filter((name) => name !== kept && (isWhole(name) || isLeft(name)))
      .map((name) => rm(join(parent, name), { recursive: true, force: true })),
  );
}

function isWhole(name: string): boolean {
  return /^[0-9a-f]{16}$/.test(name);
}

function isLeft(name: string): boolean {
  const [, builder] = /^\.[0-9a-f]{16}-(\d+)$/.exec(name) ?? [];
  return builder !== undefined && !isRunning(Number(builder));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
