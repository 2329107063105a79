import type { TestStack } from "@storefront/testkit";
import { setTimeout as sleep } from "node:timers/promises";
import { residentMebibytes } from "../resident-mebibytes.ts";

const sampleMs = 500;

/** What building the index anew took. */
export interface ReindexCost {
  readonly seconds: number;
  /** Offers and entries. */
  readonly documents: number;
  /** Most memory of the services' process meanwhile, in MiB. */
  readonly peakMib: number;
}

/** Builds the index of a running stack anew. */
export async function measureReindex(stack: TestStack): Promise<ReindexCost> {
  const pid = await stack.servicesPid();
  const startedAtMs = performance.now();
  const running = stack.startCli(["reindex", "--json"]);
  const ended = running.ended.then((result) => ({ ...result, isEnded: true }));
  let peakMib = 0;
  for (;;) {
    peakMib = Math.max(peakMib, await residentMebibytes(pid));
    const result = await Promise.race([ended, sleep(sampleMs)]);
    if (result === undefined) continue;
    if (result.status !== 0) throw new Error(`The reindex failed: ${result.stderr}`);
    const { indexed } = JSON.parse(result.stdout) as { indexed: number };
    const seconds = (performance.now() - startedAtMs) / 1_000;
    return { seconds, documents: indexed, peakMib: Math.round(peakMib) };
  }
}
