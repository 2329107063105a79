import type { TestStack } from "@storefront/testkit";
import { peakMemory } from "../peak-memory.ts";

/** The costs of rebuilding the index. */
export interface ReindexCost {
  readonly seconds: number;
  /** Offers and entries. */
  readonly documents: number;
  /** Peak memory of the services' process meanwhile, in MiB. */
  readonly peakMib: number;
}

/** Rebuilds the index of a running stack. */
export async function measureReindex(stack: TestStack): Promise<ReindexCost> {
  const startedAtMs = performance.now();
  const { ended } = stack.startCli(["reindex", "--json"]);
  const peakMib = await peakMemory(await stack.servicesPid(), ended);
  const { status, stdout, stderr } = await ended;
  if (status !== 0) throw new Error(`The reindex failed: ${stderr}`);
  const { indexed } = JSON.parse(stdout) as { indexed: number };
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return { seconds, documents: indexed, peakMib };
}
