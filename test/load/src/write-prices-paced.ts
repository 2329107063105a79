import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import type { PostgresStack } from "./postgres-stack.ts";
import { sendPaced } from "./send-paced.ts";
import type { Pace } from "./send-paced.ts";

const offers = 300;
// Regions with the same currency.
const regions = ["US", "AR", "CIS"] as const;

/**
 * Writes prices at an even rate, each a new one: its number.
 *
 * @param onCommitted called for each of them, in their order, when it is committed
 * @param offerOf the offer of a price by its number; default one of 300 in turn
 */
export async function writePricesPaced(
  { stack, token }: PostgresStack,
  pace: Pace,
  onCommitted: () => void,
  offerOf = (number: number) => `offer-${number % offers}`,
): Promise<void> {
  const address = stack.services["pricing"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  try {
    const client = createClient(PricingIngestService, transport);
    await sendPaced(
      pace,
      (number) => observationOf(number, offerOf(number)),
      (batches) => client.ingestPricing(batches, { timeoutMs: 0 }),
      onCommitted,
    );
  } finally {
    await transport.close();
  }
}

function observationOf(number: number, offerId: string) {
  const price = { currencyCode: "USD", originalPrice: 1_000_000n, discountPrice: BigInt(number) };
  const region = regions[number % regions.length] ?? "US";
  const value = { offerId, region, price };
  return {
    // Two observations of one price may not have the same time.
    observedAt: timestampFromMs(Date.now() + number),
    record: { case: "price", value } as const,
  };
}
