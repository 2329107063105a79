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
 * Writes new offers, one in a transaction of its own after the other, at an even rate.
 *
 * @param onCommitted called when the next one of them is committed
 */
export async function writePaced(
  { stack, token }: PostgresStack,
  paced: PacedWrites,
  onCommitted: () => void,
): Promise<void> {
  const address = stack.services["catalog"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  try {
    const answers = createClient(CatalogIngestService, transport).ingestCatalog(
      observations(paced),
      { timeoutMs: 0 },
    );
    for await (const _ of answers) onCommitted();
  } finally {
    await transport.close();
  }
}

async function* observations({ writes, perSecond, firstIndex = 0 }: PacedWrites) {
  const startedAtMs = performance.now();
  for (let index = 0; index < writes; index++) {
    const dueAtMs = startedAtMs + (index * 1000) / perSecond;
    await sleep(Math.max(0, dueAtMs - performance.now()));
    const number = firstIndex + index;
    const value = { id: `offer-${number}`, namespace: "calluna", title: `Offer ${number}` };
    const observedAt = timestampFromMs(Date.now());
    yield { observations: [{ observedAt, record: { case: "offer", value } as const }] };
  }
}
