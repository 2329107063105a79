import { setTimeout as sleep } from "node:timers/promises";
import { startGatewayProcess } from "../catalogue/start-gateway-process.ts";
import type { GatewayProcess } from "../catalogue/start-gateway-process.ts";
import { startChild } from "../child-process.ts";
import { residentMebibytes } from "../resident-mebibytes.ts";
import { makeQuestions } from "../search/make-questions.ts";
import { startSearchCatalogue } from "../search/start-search-catalogue.ts";
import type { SearchCatalogue } from "../search/start-search-catalogue.ts";
import type { AskPlan, AskResult } from "./ask-plan.ts";

/** A gateway before, under and after ten times the searches that it can handle. */
export interface Overload {
  /** One at a time, before and after. */
  quiet: readonly AskResult[];
  /** As many a second as it can, before and after. */
  peak: readonly AskResult[];
  /** Ten times as many, in between. */
  beyond: AskResult;
  /** MiB before, and the most meanwhile. */
  memory: { before: number; most: number };
  /** From the last request until a search is as quick as quiet ones, in seconds. */
  recoverySeconds: number;
}

// Searches that take some 10 ms, so that the search is the bottleneck and not the client.
const offers = 20_000;
const questionCount = 660;
const warmSeconds = 30;
const quietSeconds = 15;
const peakSeconds = 10;
const beyondSeconds = 60;
const sampleMs = 500;
const timesCapacity = 10;
/** Enough at once to keep two cores busy. */
const atOnce = 4;

/** Measures all phases one after the other, on one gateway without cached responses. */
export async function measureOverload(report: (progress: string) => void): Promise<Overload> {
  const catalogue = await startSearchCatalogue(offers);
  try {
    const gateway = await startGatewayProcess(catalogue.stack.services, {
      RESPONSE_CACHE_MIB: "0",
    });
    try {
      return await measurePhases(catalogue, gateway, report);
    } finally {
      await gateway.stop();
    }
  } finally {
    await catalogue.stop();
  }
}

async function measurePhases(
  { records }: SearchCatalogue,
  gateway: GatewayProcess,
  report: (progress: string) => void,
): Promise<Overload> {
  const { child } = await startChild("./processes/search-requests.ts", [gateway.url]);
  const ask = async (name: string, plan: AskPlan) => {
    const result = (await child.ask({ ...plan })) as AskResult;
    const { givenPerSecond, p99Ms, refused, failed } = result;
    report(
      `${name}: ${givenPerSecond.toFixed(1)}/s, p99 ${p99Ms.toFixed(1)} ms, ${refused} refused, ${failed} failed`,
    );
    return result;
  };
  try {
    await child.ask(makeQuestions(records, questionCount).map(({ body }) => ({ ...body })));
    const askQuietly = () => ask("quiet", { seconds: quietSeconds, atOnce: 1 });
    const askAll = () => ask("peak", { seconds: peakSeconds, atOnce });
    await ask("warming up", { seconds: warmSeconds, atOnce });
    const quiet = await askQuietly();
    const peak = await askAll();
    const before = await residentMebibytes(gateway.pid);
    const sampling = new AbortController();
    const most = sampleMost(gateway.pid, sampling.signal);
    const perSecond = peak.givenPerSecond * timesCapacity;
    const beyond = await ask("beyond", { seconds: beyondSeconds, perSecond });
    const endedAtMs = performance.now();
    while ((await ask("after", { seconds: 0.1, atOnce: 1 })).p99Ms > quiet.p99Ms) continue;
    const recoverySeconds = (performance.now() - endedAtMs) / 1000;
    sampling.abort();
    return {
      quiet: [quiet, await askQuietly()],
      peak: [peak, await askAll()],
      beyond,
      memory: { before, most: await most },
      recoverySeconds,
    };
  } finally {
    await child.stop();
  }
}

async function sampleMost(pid: number, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) {
    most = Math.max(most, await residentMebibytes(pid));
    // Rejects only when aborted, which the loop checks.
    await sleep(sampleMs, undefined, { signal }).catch(() => undefined);
  }
  return most;
}
