import {
  ExportPricingResponseSchema,
  PricingObservationSchema,
} from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { Database } from "@storefront/database";
import { storedDeletions, storedRecords, toBatches } from "@storefront/ingest";
import type { StoredObservation } from "@storefront/ingest";
import { giveawayKind, priceKind } from "../kinds/pricing-kinds.ts";
import type { PriceHistoryStore } from "../store/price-history-store.ts";
import type { PricingIngestHandlers } from "./handlers.ts";

const messages = {
  observationSchema: PricingObservationSchema,
  responseSchema: ExportPricingResponseSchema,
};

export function exportPricing(deps: {
  database: Database;
  history: PriceHistoryStore;
}): PricingIngestHandlers["exportPricing"] {
  return () => toBatches(messages, everyObservation(deps.database, deps.history));
}

/** Prices with their past, giveaways, and the times of deletions. */
export async function* everyObservation(
  database: Database,
  history: PriceHistoryStore,
): AsyncGenerator<StoredObservation> {
  yield* history.everyState();
  yield* storedDeletions(database, "pricing", priceKind);
  yield* storedRecords(database, giveawayKind);
  yield* storedDeletions(database, "pricing", giveawayKind);
}
