import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresStack } from "./postgres-stack.ts";

/** How much is written. */
export interface PacedWrites {
  writes: number;
  perSecond: number;
  /** Number of the first offer, default 0; one that is there already is only seen again. */
  firstIndex?: number;
}

/**
 * Writes new offers at an even rate, as who mirrors changes does: one transaction after the other, each
 * with all that have come meanwhile, so that the rate is kept by however many of them the machine can do.
 *
 * @param onCommitted called for each of them, in their order, when it is committed
 */
export async function writePaced(
  { stack, token }: PostgresStack,
  { writes, perSecond, firstIndex = 0 }: PacedWrites,
  onCommitted: () => void,
): Promise<void> {
  let answered = Promise.withResolvers<void>();
  async function* batches() {
    const startedAtMs = performance.now();
    for (let sent = 0; sent < writes;) {
      const dueAtMs = startedAtMs + (sent * 1000) / perSecond;
      await sleep(Math.max(0, dueAtMs - performance.now()));
      const elapsedSeconds = (performance.now() - startedAtMs) / 1000;
      const due = Math.min(Math.max(Math.ceil(elapsedSeconds * perSecond), sent + 1), writes);
      const observations = Array.from({ length: Math.min(due - sent, batchMax) }, (_none, index) =>
        observationOf(firstIndex + sent + index),
      );
      sent += observations.length;
      yield { observations };
      await answered.promise;
      answered = Promise.withResolvers();
    }
  }
  const address = stack.services["catalog"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  try {
    const client = createClient(CatalogIngestService, transport);
    for await (const { outcomes } of client.ingestCatalog(batches(), { timeoutMs: 0 })) {
      for (const _ of outcomes) onCommitted();
      answered.resolve();
    }
  } finally {
    await transport.close();
  }
}

/** Fewer than an import's, for which the followers make room. */
const batchMax = 40;

function observationOf(number: number) {
  const value = { id: `offer-${number}`, namespace: "calluna", title: `Offer ${number}` };
  return {
    observedAt: timestampFromMs(Date.now()),
    record: { case: "offer", value } as const,
  };
}
