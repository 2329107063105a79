import { setTimeout as sleep } from "node:timers/promises";
import { residentMebibytes } from "./resident-mebibytes.ts";

const sampleMs = 500;

/** Peak memory of a process until the work is done, in MiB; rejects when the work does. */
export async function peakMemory(pid: number, work: Promise<unknown>): Promise<number> {
  const done = work.then(() => true);
  for (let peakMib = 0; ;) {
    // Checks between two samples whether the work is done.
    if (await Promise.race([done, sleep(sampleMs, false)])) return Math.round(peakMib);
    peakMib = Math.max(peakMib, await residentMebibytes(pid));
  }
}
