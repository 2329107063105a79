import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { createGrpcTransport } from "@storefront/rpc";
import { measureInTurn } from "../measure-in-turn.ts";
import type { RoundResult, Side } from "../measure-in-turn.ts";
import { percentile } from "../percentile.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import type { Row } from "../row.ts";

const manyEntries = 1_000_000;
const fewEntries = 10_000;
const batchEntries = 1000;

const sandboxId = "calluna";
const pages = 50;
const concurrency = 4;
const roundMs = 4000;
const rounds = 3;

/** Whether a page of a long changelog costs what one of a short one does. */
export const changelogPage: Row = {
  number: 11,
  case: "page of a sandbox changelog at 1,000,000 stored entries; peer: ours at 10,000",
  goal: 0.5,
  async measure(report) {
    const running: PostgresStack[] = [];
    async function start(entries: number): Promise<Side> {
      const started = await startPostgresStack();
      running.push(started);
      await fill(started, entries);
      report(`${entries} entries are stored`);
      return () => readPages(started.stack.gatewayUrl);
    }
    try {
      return await measureInTurn(await start(manyEntries), await start(fewEntries), rounds, report);
    } finally {
      await Promise.all(running.map((each) => each.stop()));
    }
  },
};

async function fill({ stack, token }: PostgresStack, count: number): Promise<void> {
  const connect = (service: string) =>
    createGrpcTransport({ address: stack.services[service]?.grpcAddress ?? "", token });
  const catalog = connect("catalog");
  const changelog = connect("changelog");
  const observedAt = timestampFromMs(Date.now());
  const sandbox = { case: "sandbox", value: { id: sandboxId, title: "Calluna" } } as const;
  async function* observations() {
    yield { observations: [{ observedAt, record: sandbox }] };
  }
  async function* entries() {
    for (let start = 0; start < count; start += batchEntries) {
      yield { entries: Array.from({ length: batchEntries }, (_, index) => entry(start + index)) };
    }
  }
  try {
    const unlimited = { timeoutMs: 0 };
    for await (const _ of createClient(CatalogIngestService, catalog).ingestCatalog(
      observations(),
      unlimited,
    ));
    for await (const _ of createClient(ChangelogIngestService, changelog).ingestEntries(
      entries(),
      unlimited,
    ));
  } finally {
    await Promise.all([catalog.close(), changelog.close()]);
  }
}

/** The entries come in no order of time, from a thousand records. */
function entry(index: number) {
  return {
    id: `bench-${index}`,
    timestamp: timestampFromMs(1_600_000_000_000 + ((index * 7919) % manyEntries) * 1000),
    contextType: "offer",
    contextId: `offer-${index % 1000}`,
    namespace: sandboxId,
    changes: [
      {
        changeType: ChangeType.UPDATE,
        type: "string",
        field: "title",
        oldValue: { kind: { case: "stringValue", value: `Title ${index}` } } as const,
        newValue: { kind: { case: "stringValue", value: `Title ${index + 1}` } } as const,
      },
    ],
  };
}

async function readPages(gatewayUrl: string): Promise<RoundResult> {
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const endAtMs = startedAtMs + roundMs;
  let next = 0;
  async function readInTurn(): Promise<void> {
    for (let nowMs = performance.now(); nowMs < endAtMs;) {
      const page = (next++ % pages) + 1;
      const response = await fetch(`${gatewayUrl}/sandboxes/${sandboxId}/changelog?page=${page}`);
      const { hits } = (await response.json()) as { hits: unknown[] };
      if (hits.length !== 10) throw new Error(`page ${page} has ${hits.length} entries`);
      const afterMs = performance.now();
      latenciesMs.push(afterMs - nowMs);
      nowMs = afterMs;
    }
  }
  await Promise.all(Array.from({ length: concurrency }, readInTurn));
  return {
    perSecond: latenciesMs.length / ((performance.now() - startedAtMs) / 1000),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}
