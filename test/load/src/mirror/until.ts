import { setTimeout as sleep } from "node:timers/promises";

const lookIntervalMs = 100;

/** Resolves once it is true; what fails may be true later. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue().catch(() => false))) await sleep(lookIntervalMs);
}
