import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../median.ts";

const intervalMs = 250;

/** Resident memory of a process while something ran, in MiB. */
export interface MemoryUse {
  /** Medians of the second and of the last quarter of the time. */
  earlyMib: number;
  lateMib: number;
}

/** Samples a process's memory until the work is done; Linux tells it. */
export async function sampleMemory(pid: number, work: Promise<unknown>): Promise<MemoryUse> {
  const samples: number[] = [];
  const done = new AbortController();
  // A failure is for whoever waits for the work.
  void work.catch(() => undefined).finally(() => done.abort());
  while (!done.signal.aborted) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    if (kib !== undefined) samples.push(Number(kib) / 1024);
    await sleep(intervalMs);
  }
  const quarter = Math.ceil(samples.length / 4);
  return {
    earlyMib: Math.round(median(samples.slice(quarter, 2 * quarter))),
    lateMib: Math.round(median(samples.slice(-quarter))),
  };
}
