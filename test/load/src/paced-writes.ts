import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import { pacedBatches } from "./paced-batches.ts";
import type { Pace } from "./paced-batches.ts";
import type { PostgresStack } from "./postgres-stack.ts";

/** How much is written, and what. */
export interface PacedWrites extends Pace {
  /** Number of the first offer, default 0; one that is there already is only seen again. */
  firstIndex?: number;
}

/**
 * Writes new offers at an even rate.
 *
 * @param onCommitted called for each of them, in their order, when it is committed
 */
export async function writePaced(
  { stack, token }: PostgresStack,
  { writes, perSecond, firstIndex = 0 }: PacedWrites,
  onCommitted: () => void,
): Promise<void> {
  let answered = Promise.withResolvers<void>();
  const hasAnswered = async () => {
    await answered.promise;
    answered = Promise.withResolvers();
  };
  const batches = pacedBatches(
    { writes, perSecond },
    (number) => observationOf(firstIndex + number),
    hasAnswered,
  );
  const address = stack.services["catalog"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  try {
    const client = createClient(CatalogIngestService, transport);
    for await (const { outcomes } of client.ingestCatalog(batches, { timeoutMs: 0 })) {
      for (const _ of outcomes) onCommitted();
      answered.resolve();
    }
  } finally {
    await transport.close();
  }
}

function observationOf(number: number) {
  const value = { id: `offer-${number}`, namespace: "calluna", title: `Offer ${number}` };
  return {
    observedAt: timestampFromMs(Date.now()),
    record: { case: "offer", value } as const,
  };
}
