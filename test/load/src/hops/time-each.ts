import { median } from "../median.ts";

const samples = 15;
const sampleMs = 100;

/** Microseconds that one run takes: the median of samples of about 100 ms, after a warm-up. */
export async function timeEach(work: () => unknown): Promise<number> {
  await timeSample(work);
  const microseconds: number[] = [];
  for (let index = 0; index < samples; index++) microseconds.push(await timeSample(work));
  return median(microseconds);
}

async function timeSample(work: () => unknown): Promise<number> {
  const startedAtMs = performance.now();
  let runs = 0;
  let elapsedMs = 0;
  while (elapsedMs < sampleMs) {
    const result = work();
    // Waiting for what is there already would count as well.
    if (result instanceof Promise) await result;
    runs++;
    elapsedMs = performance.now() - startedAtMs;
  }
  return (elapsedMs * 1000) / runs;
}
