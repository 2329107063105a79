import { setTimeout as sleep } from "node:timers/promises";
import { residentMebibytes } from "./resident-mebibytes.ts";

const sampleMs = 500;

/** Most memory of a process until the work is done, in MiB; as the work rejects, so does this. */
export async function peakMemory(pid: number, work: Promise<unknown>): Promise<number> {
  const done = work.then(() => true);
  for (let peakMib = 0; ;) {
    // Between two samples it is looked whether the work goes on.
    if (await Promise.race([done, sleep(sampleMs, false)])) return Math.round(peakMib);
    peakMib = Math.max(peakMib, await residentMebibytes(pid));
  }
}
