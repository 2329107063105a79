// Sends GETs at an even rate. Argument: base URL. A message with paths alone requests each once, and
// remembers the responses; one with a plan gets its results.
import { Agent, request } from "undici";
import { setTimeout as sleep } from "node:timers/promises";
import type { GetPlan, GetResult } from "../outage/get-plan.ts";
import { percentile } from "../percentile.ts";

const [url = ""] = process.argv.slice(2);
const dispatcher = new Agent({ pipelining: 1 });
const tickMs = 2;
const remembered = new Map<string, string>();

async function get(path: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(url + path, { dispatcher });
  return { status: statusCode, text: await body.text() };
}

async function remember(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { status, text } = await get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    remembered.set(path, text);
  }
}

async function run({ paths, perSecond, seconds }: GetPlan): Promise<GetResult> {
  const latenciesMs: number[] = [];
  const counts = { whole: 0, lacking: 0, failed: 0 };
  const ask = async (path: string) => {
    const startedAtMs = performance.now();
    // A broken or refused connection.
    const response = await get(path).catch(() => undefined);
    latenciesMs.push(performance.now() - startedAtMs);
    if (response?.status !== 200) counts.failed += 1;
    else if (response.text === remembered.get(path)) counts.whole += 1;
    else counts.lacking += 1;
  };
  const asks: Promise<void>[] = [];
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + seconds * 1000;
  for (let nowMs = startedAtMs; nowMs < endsAtMs; nowMs = performance.now()) {
    const due = ((nowMs - startedAtMs) / 1000) * perSecond;
    while (asks.length < due) asks.push(ask(paths[asks.length % paths.length] ?? "/"));
    await sleep(tickMs);
  }
  await Promise.all(asks);
  return { asked: asks.length, ...counts, p99Ms: percentile(latenciesMs, 0.99) };
}

process.on("message", (message: string[] | GetPlan) => {
  if (Array.isArray(message)) void remember(message).then(() => process.send?.({ ready: true }));
  else void run(message).then((result) => process.send?.(result));
});
process.send?.({ ready: true });
