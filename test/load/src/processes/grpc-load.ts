// Loads a gRPC server with unary calls by grpc-js, over one connection. Answers stay bytes: decoding
// them would take the same time for every server and hide what differs. Arguments: host and port,
// path of the method, calls under way at once, seconds per round, then serialized requests in
// base64. Each message starts a round and gets its result.
import { Client, credentials } from "@grpc/grpc-js";
import type { RoundResult } from "../measure-in-turn.ts";
import { percentile } from "../percentile.ts";

const [address = "", method = "", concurrency, roundSeconds, ...encoded] = process.argv.slice(2);
const requests = encoded.map((text) => Buffer.from(text, "base64"));
const client = new Client(address, credentials.createInsecure());
const untouched = (bytes: Buffer): Buffer => bytes;

function call(request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(method, untouched, untouched, request, (error, answer) => {
      if (error !== null) reject(error);
      else if (answer === undefined) reject(new Error("there is no answer"));
      else resolve(answer);
    });
  });
}

async function runRound(): Promise<RoundResult> {
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const endAtMs = startedAtMs + Number(roundSeconds) * 1000;
  let next = 0;
  async function callInTurn(): Promise<void> {
    for (let nowMs = performance.now(); nowMs < endAtMs;) {
      await call(requests[next++ % requests.length] ?? Buffer.alloc(0));
      const afterMs = performance.now();
      latenciesMs.push(afterMs - nowMs);
      nowMs = afterMs;
    }
  }
  await Promise.all(Array.from({ length: Number(concurrency) }, callInTurn));
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { perSecond: latenciesMs.length / seconds, p99Ms: percentile(latenciesMs, 0.99) };
}

process.on("message", () => {
  void runRound().then((result) => process.send?.(result));
});
process.send?.({ ready: true });
