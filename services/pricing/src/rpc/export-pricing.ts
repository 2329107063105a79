import type { ServiceImpl } from "@connectrpc/connect";
import {
  ExportPricingResponseSchema,
  PricingObservationSchema,
} from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { Database } from "@storefront/database";
import { storedDeletions, storedRecords, toBatches } from "@storefront/ingest";
import type { StoredObservation } from "@storefront/ingest";
import { giveawayKind } from "../kinds/giveaway-kind.ts";
import { priceKind } from "../kinds/price-kind.ts";
import type { PriceHistoryStore } from "../store/price-history-store.ts";

const messages = {
  observationSchema: PricingObservationSchema,
  responseSchema: ExportPricingResponseSchema,
};

/** What the export reads. */
export interface ExportPricingDependencies {
  readonly database: Database;
  readonly history: PriceHistoryStore;
}

/**
 * Gives everything stored as observations that rebuild it: prices with their past, giveaways, and
 * the times of deletions.
 */
export function exportPricing(
  dependencies: ExportPricingDependencies,
): ServiceImpl<typeof PricingIngestService>["exportPricing"] {
  return () => toBatches(messages, everything(dependencies));
}

async function* everything({
  database,
  history,
}: ExportPricingDependencies): AsyncGenerator<StoredObservation> {
  yield* history.everyState();
  yield* storedDeletions(database, "pricing", priceKind);
  yield* storedRecords(database, giveawayKind);
  yield* storedDeletions(database, "pricing", giveawayKind);
}
