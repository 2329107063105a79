// Loads a server with GETs. The first message has the options; each further one starts a round and
// gets its result.
import autocannon from "autocannon";
import type { HttpLoadOptions } from "../http-load.ts";
import type { RoundResult } from "../measure-in-turn.ts";
import { percentile } from "../percentile.ts";

let options: HttpLoadOptions | undefined;

async function runRound({
  url,
  paths,
  connections,
  roundSeconds,
}: HttpLoadOptions): Promise<RoundResult> {
  const requests = paths.map((path) => ({ path }));
  let clients = 0;
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: roundSeconds,
        setupClient(client) {
          // Each connection begins elsewhere in the list.
          const from = Math.floor((clients++ * requests.length) / connections);
          client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
        },
      },
      (error: unknown, done) => {
        if (error instanceof Error) reject(error);
        else resolve(done);
      },
    );
    // The library's own percentiles are whole milliseconds.
    instance.on("response", (_client, _status, _bytes, latencyMs) => latenciesMs.push(latencyMs));
  });
  const seconds = (performance.now() - startedAtMs) / 1000;
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} responses that are not 2xx`);
  }
  return { perSecond: latenciesMs.length / seconds, p99Ms: percentile(latenciesMs, 0.99) };
}

process.on("message", (message: HttpLoadOptions | "round") => {
  if (message !== "round") {
    options = message;
    process.send?.({ ready: true });
  } else if (options !== undefined) {
    void runRound(options).then((result) => process.send?.(result));
  }
});
process.send?.({ ready: true });
