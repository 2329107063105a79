import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Of the clock in /proc; the same on every current Linux. */
const ticksPerSecond = 100;

/** Processor seconds that a process has used, without those of its children. Linux only. */
export async function processorSeconds(pid: number): Promise<number> {
  const { own } = await timesOf(pid);
  return own;
}

/**
 * Processor seconds of all processes of a PostgreSQL server, including those that have ended.
 *
 * @param directory its data directory
 */
export async function postgresSeconds(directory: string): Promise<number> {
  const pidFile = await readFile(join(directory, "data", "postmaster.pid"), "utf8");
  const postmaster = Number(pidFile.split("\n")[0]);
  const { own, ended } = await timesOf(postmaster);
  let seconds = own + ended;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // A process may end meanwhile.
    const times = await timesOf(Number(name)).catch(() => undefined);
    if (times?.parent === postmaster) seconds += times.own;
  }
  return seconds;
}

async function timesOf(pid: number): Promise<{ parent: number; own: number; ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // Fields of proc(5) from the third on; the name before them may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = (from: number) =>
    (Number(fields[from]) + Number(fields[from + 1])) / ticksPerSecond;
  return { parent: Number(fields[1]), own: ticks(11), ended: ticks(13) };
}
