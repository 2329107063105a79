import type { RoundResult } from "./measure-in-turn.ts";
import { percentile } from "./percentile.ts";

/** Sends requests for `seconds`, `concurrency` at a time; `ask` gets the number of the request. */
export async function askInTurn(
  ask: (number: number) => Promise<unknown>,
  concurrency: number,
  seconds: number,
): Promise<RoundResult> {
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const endAtMs = startedAtMs + seconds * 1000;
  let next = 0;
  async function askNext(): Promise<void> {
    for (let nowMs = performance.now(); nowMs < endAtMs;) {
      await ask(next++);
      const afterMs = performance.now();
      latenciesMs.push(afterMs - nowMs);
      nowMs = afterMs;
    }
  }
  await Promise.all(Array.from({ length: concurrency }, askNext));
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  return { perSecond: latenciesMs.length / tookSeconds, p99Ms: percentile(latenciesMs, 0.99) };
}
