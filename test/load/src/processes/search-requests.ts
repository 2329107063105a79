// Sends searches over REST. Argument: base URL. The first message has the questions; each further one
// is a plan and gets its results.
import { Agent, request } from "undici";
import { setTimeout as sleep } from "node:timers/promises";
import type { AskPlan, AskResult } from "../overload/ask-plan.ts";
import { percentile } from "../percentile.ts";
import type { SearchQuestion } from "../search/search-question.ts";

const [url = ""] = process.argv.slice(2);
// A connection for each request in progress, as with many clients.
const dispatcher = new Agent({ pipelining: 1 });
const tickMs = 5;
let bodies: string[] = [];
let asked = 0;

async function run({ seconds, ...plan }: AskPlan): Promise<AskResult> {
  const latenciesMs: number[] = [];
  let refused = 0;
  let failed = 0;
  const ask = async () => {
    const startedAtMs = performance.now();
    const body = bodies[asked++ % bodies.length] ?? "{}";
    try {
      const { statusCode, body: received } = await request(`${url}/search/v2/search`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        dispatcher,
      });
      await received.dump({ limit: Infinity });
      if (statusCode === 200) latenciesMs.push(performance.now() - startedAtMs);
      else if (statusCode === 503) refused += 1;
      else failed += 1;
    } catch {
      // A broken or refused connection.
      failed += 1;
    }
  };
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + seconds * 1000;
  if ("atOnce" in plan) {
    const inTurn = async () => {
      while (performance.now() < endsAtMs) await ask();
    };
    await Promise.all(Array.from({ length: plan.atOnce }, inTurn));
  } else {
    const asks: Promise<void>[] = [];
    // Whether responses arrive or not: clients do not wait for each other.
    for (let nowMs = startedAtMs; nowMs < endsAtMs; nowMs = performance.now()) {
      const due = ((nowMs - startedAtMs) / 1000) * plan.perSecond;
      while (asks.length < due) asks.push(ask());
      await sleep(tickMs);
    }
    await Promise.all(asks);
  }
  const elapsedSeconds = (performance.now() - startedAtMs) / 1000;
  const givenPerSecond = latenciesMs.length / elapsedSeconds;
  return { givenPerSecond, p99Ms: percentile(latenciesMs, 0.99), refused, failed };
}

process.on("message", (message: SearchQuestion["body"][] | AskPlan) => {
  if (Array.isArray(message)) {
    bodies = message.map((body) => JSON.stringify(body));
    process.send?.({ ready: true });
  } else {
    void run(message).then((result) => process.send?.(result));
  }
});
process.send?.({ ready: true });
