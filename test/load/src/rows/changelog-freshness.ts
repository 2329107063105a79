import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../percentile.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import type { Row } from "../row.ts";

const writesPerSecond = 200;
const writes = 20 * writesPerSecond;
const limitMs = 1000;
const pageSize = 50;

// How often the reader looks when there was nothing new; it counts as latency.
const lookIntervalMs = 5;

/** How long after its commit a write is in the changelog that clients read. */
export const changelogFreshness: Row = {
  number: 12,
  case: "1 / p99 of the seconds from commit to GET /changelist at 200 writes/s; peer: the limit, 1 s",
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

async function measureLatencies({ stack, token }: PostgresStack): Promise<number[]> {
  const address = stack.services["catalog"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  const committedAtMs: number[] = [];
  try {
    // The first entry is where the reader starts.
    const answers = createClient(CatalogIngestService, transport).ingestCatalog(paced(), {
      timeoutMs: 0,
    });
    const writing = (async () => {
      for await (const _ of answers) committedAtMs.push(performance.now());
    })();
    const seenAtMs = await readAll(stack.gatewayUrl);
    await writing;
    return seenAtMs.map((seen, index) => Math.max(0, seen - (committedAtMs[index] ?? seen)));
  } finally {
    await transport.close();
  }
}

/** One write in a transaction of its own after the other, at an even rate. */
async function* paced() {
  const startedAtMs = performance.now();
  for (let index = 0; index < writes; index++) {
    const dueAtMs = startedAtMs + (index * 1000) / writesPerSecond;
    await sleep(Math.max(0, dueAtMs - performance.now()));
    const value = { id: `offer-${index}`, namespace: "calluna", title: `Offer ${index}` };
    const observedAt = timestampFromMs(Date.now());
    yield { observations: [{ observedAt, record: { case: "offer", value } as const }] };
  }
}

/** When each entry was seen first, in the order of the log, by a client that syncs from it. */
async function readAll(gatewayUrl: string): Promise<number[]> {
  const seenAtMs: number[] = [];
  let after: string | undefined;
  while (seenAtMs.length < writes) {
    const start = after === undefined ? "since=2000-01-01T00:00:00Z" : `after=${after}`;
    const response = await fetch(`${gatewayUrl}/changelist?${start}&limit=${pageSize}`);
    const entries = (await response.json()) as { _id: string }[];
    const nowMs = performance.now();
    for (const { _id: id } of entries) {
      seenAtMs.push(nowMs);
      after = id;
    }
    if (entries.length === 0) await sleep(lookIntervalMs);
  }
  return seenAtMs;
}
