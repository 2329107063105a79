import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import { pacedBatches } from "../paced-batches.ts";
import { percentile } from "../percentile.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import type { Row } from "../row.ts";

const writesPerSecond = 200;
const writes = 20 * writesPerSecond;
const limitMs = 1000;
const regions = ["US", "EURO", "JP"] as const;

/** How long after its commit a change of a price comes to who follows them. */
export const priceChangeFreshness: Row = {
  number: 26,
  case: "1 / p99 of the seconds from commit to the event of GET /price-changes/stream at 200 writes/s; peer: the limit, 1 s",
  goal: 1,
  async measure(report) {
    const started = await startPostgresStack();
    try {
      const latenciesMs = await measureLatencies(started);
      const p99Ms = percentile(latenciesMs, 0.99);
      report(`median ${percentile(latenciesMs, 0.5).toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`);
      const ratio = Math.round((limitMs / p99Ms) * 100) / 100;
      return { ours: 1000 / p99Ms, peer: 1000 / limitMs, ratio };
    } finally {
      await started.stop();
    }
  },
};

async function measureLatencies(started: PostgresStack): Promise<number[]> {
  const ending = new AbortController();
  const response = await fetch(`${started.stack.gatewayUrl}/price-changes/stream`, {
    signal: ending.signal,
  });
  const committedAtMs: number[] = [];
  const writing = writePrices(started, () => committedAtMs.push(performance.now()));
  const seenAtMs = await readEvents(response);
  await writing;
  ending.abort();
  return seenAtMs.map((seen, index) => Math.max(0, seen - (committedAtMs[index] ?? seen)));
}

/** When each event came, in the order of the log. */
async function readEvents({ body }: Response): Promise<number[]> {
  const seenAtMs: number[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    const nowMs = performance.now();
    for (const line of lines) if (line.startsWith("data: ")) seenAtMs.push(nowMs);
    if (seenAtMs.length >= writes) break;
  }
  return seenAtMs;
}

/** @param onCommitted called for each write, in their order, when it is committed */
async function writePrices(
  { stack, token }: PostgresStack,
  onCommitted: () => void,
): Promise<void> {
  let answered = Promise.withResolvers<void>();
  const hasAnswered = async () => {
    await answered.promise;
    answered = Promise.withResolvers();
  };
  const pace = { writes, perSecond: writesPerSecond };
  const batches = pacedBatches(pace, observationOf, hasAnswered);
  const address = stack.services["pricing"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  try {
    const client = createClient(PricingIngestService, transport);
    for await (const { outcomes } of client.ingestPricing(batches, { timeoutMs: 0 })) {
      for (const _ of outcomes) onCommitted();
      answered.resolve();
    }
  } finally {
    await transport.close();
  }
}

/** Prices of 300 offers, each another one than before. */
function observationOf(number: number) {
  const price = { currencyCode: "USD", originalPrice: 1_000_000n, discountPrice: BigInt(number) };
  const region = regions[number % regions.length] ?? "US";
  const value = { offerId: `offer-${number % 300}`, region, price };
  return {
    observedAt: timestampFromMs(Date.now() + number),
    record: { case: "price", value } as const,
  };
}
