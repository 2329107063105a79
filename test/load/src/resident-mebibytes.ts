import { readFile } from "node:fs/promises";

/** Resident memory of a process. Linux only. */
export async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`process ${pid} has no resident memory`);
  return Number(kibibytes) / 1024;
}
