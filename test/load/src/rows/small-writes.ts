import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import { makeTemporaryDirectory } from "@storefront/testkit";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { writeHistory } from "../history/write-history.ts";
import { percentile } from "../percentile.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import type { Row } from "../row.ts";

const pauseMs = 50;
const writesAlone = 400;
// Before the first that count, so that nothing is done for the first time.
const warmUpWrites = 100;

/** How long somebody waits who writes one record while another imports into the same service. */
export const smallWrites: Row = {
  number: 21,
  goal: 2,
  goalIs: "at most",
  case: "p99 in ms of a write of one offer beside an import of a year of history; peer: the same alone",
  async measure(report) {
    const directory = await makeTemporaryDirectory();
    const started = await startPostgresStack();
    try {
      const file = directory.file("history.ndjson");
      await writeHistory(file);
      await timesOf(started, (count) => count < warmUpWrites);
      const alone = await timesOf(started, (count) => count < writesAlone);
      let isImporting = true;
      const importing = started.stack.cli(["import", file]);
      const [beside, { status }] = await Promise.all([
        timesOf(started, () => isImporting),
        importing.finally(() => (isImporting = false)),
      ]);
      if (status !== 0) throw new Error(`The import ended with status ${status}.`);
      report(
        `median ${median(alone)} ms alone, ${median(beside)} ms beside, ${beside.length} writes`,
      );
      const [ours, peer] = [percentile(beside, 0.99), percentile(alone, 0.99)];
      return { ours, peer, ratio: Math.round((ours / peer) * 100) / 100 };
    } finally {
      await started.stop();
      await directory.remove();
    }
  },
};

function median(timesMs: readonly number[]): string {
  return percentile(timesMs, 0.5).toFixed(1);
}

/**
 * Writes offers, one in a batch, not before the last one is answered, and tells how long each took in
 * milliseconds.
 *
 * @param goesOn asked before each write, with how many there have been
 */
async function timesOf(
  { stack, token }: PostgresStack,
  goesOn: (count: number) => boolean,
): Promise<number[]> {
  const address = stack.services["catalog"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  const timesMs: number[] = [];
  try {
    const client = createClient(CatalogIngestService, transport);
    while (goesOn(timesMs.length)) {
      const value = { id: randomUUID(), namespace: "calluna", title: "One offer" };
      const observedAt = timestampFromMs(Date.now());
      const record = { case: "offer", value } as const;
      async function* one() {
        yield { observations: [{ observedAt, record }] };
      }
      const startedAtMs = performance.now();
      await Array.fromAsync(client.ingestCatalog(one()));
      timesMs.push(performance.now() - startedAtMs);
      await sleep(pauseMs);
    }
    return timesMs;
  } finally {
    await transport.close();
  }
}
