import { setTimeout as sleep } from "node:timers/promises";
import { residentMebibytes } from "./resident-mebibytes.ts";

const sampleMs = 500;

/** Most memory of a process until the work is done, in MiB. */
export async function peakMemory(pid: number, work: Promise<unknown>): Promise<number> {
  const done = work.then(() => true);
  for (let peakMib = 0; ;) {
    peakMib = Math.max(peakMib, await residentMebibytes(pid));
    if (await Promise.race([done, sleep(sampleMs, false)])) return Math.round(peakMib);
  }
}
