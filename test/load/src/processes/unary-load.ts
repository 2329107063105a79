// Loads one server with unary gets. Arguments: transport (`ours` or `connect-node-grpc`), base URL,
// calls under way at once, milliseconds per round. Each message starts a round and gets its result.
import { createClient } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { createTransport } from "@storefront/rpc";
import type { RoundResult } from "../measure-in-turn.ts";

const [kind, baseUrl = "", concurrency, roundMs] = process.argv.slice(2);
const client = createClient(CatalogService, createNamedTransport());

function createNamedTransport(): Transport {
  switch (kind) {
    case "ours":
      return createTransport({ baseUrl });
    case "connect-node-grpc":
      return createGrpcTransport({ baseUrl });
    default:
      throw new Error(`unknown transport ${kind}`);
  }
}

async function runRound(): Promise<RoundResult> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + Number(roundMs);
  async function callInTurn(): Promise<void> {
    for (let now = performance.now(); now < endAt;) {
      const { offer } = await client.getOffer({ offerId: "0030779b6d8f4c1c9f5e2f0a" });
      if (offer?.namespace !== "calluna") throw new Error("wrong answer");
      const after = performance.now();
      latenciesMs.push(after - now);
      now = after;
    }
  }
  await Promise.all(Array.from({ length: Number(concurrency) }, callInTurn));
  const seconds = (performance.now() - startedAt) / 1000;
  latenciesMs.sort((a, b) => a - b);
  return {
    perSecond: latenciesMs.length / seconds,
    p99Ms: latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN,
  };
}

process.on("message", () => {
  void runRound().then((result) => process.send?.(result));
});
process.send?.({ ready: true });
