import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import type { PostgresStack } from "./postgres-stack.ts";
import { sendPaced } from "./send-paced.ts";
import type { Pace } from "./send-paced.ts";

/** How many offers are written, and which. */
export interface PacedOffers extends Pace {
  /** Number of the first offer, default 0; an existing one is only observed again. */
  firstIndex?: number;
}

/**
 * Writes new offers at an even rate: `offer-0` and so on.
 *
 * @param onCommitted called for each of them, in their order, when it is committed
 */
export async function writeOffersPaced(
  { stack, token }: PostgresStack,
  { firstIndex = 0, ...pace }: PacedOffers,
  onCommitted: () => void,
): Promise<void> {
  const address = stack.services["catalog"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  try {
    const client = createClient(CatalogIngestService, transport);
    await sendPaced(
      pace,
      (number) => observationOf(firstIndex + number),
      (batches) => client.ingestCatalog(batches, { timeoutMs: 0 }),
      onCommitted,
    );
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
