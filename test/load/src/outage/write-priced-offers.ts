import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import type { PostgresStack } from "../postgres-stack.ts";

const region = "US";

/** Writes offers, each in a namespace of its own, and one more that bundles them all. */
export async function writeOffers(
  { stack, token }: PostgresStack,
  ids: readonly string[],
  listId: string,
): Promise<void> {
  const offers = [
    ...ids.map((id) => ({ id, namespace: `room-${id}`, title: id })),
    { id: listId, namespace: "room-list", title: listId, collectionOfferIds: [...ids] },
  ];
  const observedAt = timestampFromMs(Date.now());
  const observations = offers.map((value) => ({
    observedAt,
    record: { case: "offer", value } as const,
  }));
  const address = stack.services["catalog"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  try {
    const client = createClient(CatalogIngestService, transport);
    await Array.fromAsync(client.ingestCatalog(only({ observations }), { timeoutMs: 0 }));
  } finally {
    await transport.close();
  }
}

/** Writes the price of each of these offers, in US cents. */
export async function writePrices(
  { stack, token }: PostgresStack,
  ids: readonly string[],
  cents: bigint,
): Promise<void> {
  const observedAt = timestampFromMs(Date.now());
  const price = { currencyCode: "USD", originalPrice: cents, discountPrice: cents };
  const observations = ids.map((offerId) => ({
    observedAt,
    record: { case: "price", value: { offerId, region, price, updatedAt: observedAt } } as const,
  }));
  const address = stack.services["pricing"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  try {
    const client = createClient(PricingIngestService, transport);
    await Array.fromAsync(client.ingestPricing(only({ observations }), { timeoutMs: 0 }));
  } finally {
    await transport.close();
  }
}

async function* only<Batch>(batch: Batch) {
  yield batch;
}
