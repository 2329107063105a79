import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import type { PostgresStack } from "./postgres-stack.ts";
import { sendPaced } from "./send-paced.ts";
import type { Pace } from "./send-paced.ts";

const offers = 300;
const regions = ["US", "EURO", "JP"] as const;

/**
 * Writes prices of 300 offers at an even rate, each another one than before.
 *
 * @param onCommitted called for each of them, in their order, when it is committed
 */
export async function writePricesPaced(
  { stack, token }: PostgresStack,
  pace: Pace,
  onCommitted: () => void,
): Promise<void> {
  const address = stack.services["pricing"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  try {
    const client = createClient(PricingIngestService, transport);
    await sendPaced(
      pace,
      observationOf,
      (batches) => client.ingestPricing(batches, { timeoutMs: 0 }),
      onCommitted,
    );
  } finally {
    await transport.close();
  }
}

function observationOf(number: number) {
  const price = { currencyCode: "USD", originalPrice: 1_000_000n, discountPrice: BigInt(number) };
  const region = regions[number % regions.length] ?? "US";
  const value = { offerId: `offer-${number % offers}`, region, price };
  return {
    // Two observations of one price may not stand at one moment.
    observedAt: timestampFromMs(Date.now() + number),
    record: { case: "price", value } as const,
  };
}
