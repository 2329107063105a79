import { CommitSignal, provideFeed } from "@storefront/change-feed";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import type { Database } from "@storefront/database";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { Metrics } from "@storefront/telemetry";
import { batchGetPrices } from "./rpc/batch-get-prices.ts";
import { exportPricing } from "./rpc/export-pricing.ts";
import { forgetRecord } from "./rpc/forget-record.ts";
import { getPrice } from "./rpc/get-price.ts";
import { ingestPricing } from "./rpc/ingest-pricing.ts";
import { listCurrentGiveaways } from "./rpc/list-current-giveaways.ts";
import { listDiscountedPrices } from "./rpc/list-discounted-prices.ts";
import { listGivenAwayOffers } from "./rpc/list-given-away-offers.ts";
import { listOfferGiveaways } from "./rpc/list-offer-giveaways.ts";
import { listPriceHistory } from "./rpc/list-price-history.ts";
import { snapshotRecords } from "./rpc/snapshot-records.ts";
import { GiveawayStore } from "./store/giveaway-store.ts";
import { PriceHistoryStore } from "./store/price-history-store.ts";
import { PriceStore } from "./store/price-store.ts";

/** What the service's handlers are made of. */
export interface RouteDependencies {
  database: Database;
  ingestTokens: readonly string[];
  /** Where the log and what is ingested are reported; default nowhere. */
  metrics: Metrics | undefined;
}

/** Every RPC of the service, each handled by the file of its name. */
export function pricingRoutes({
  database,
  ingestTokens,
  metrics,
}: RouteDependencies): ProvidedService[] {
  const prices = new PriceStore(database);
  const history = new PriceHistoryStore(database);
  const giveaways = new GiveawayStore(database);
  const commits = new CommitSignal();
  return [
    provide(PricingService, {
      getPrice: getPrice(prices),
      batchGetPrices: batchGetPrices(prices),
      listDiscountedPrices: listDiscountedPrices(prices),
      listPriceHistory: listPriceHistory(history),
      listCurrentGiveaways: listCurrentGiveaways(giveaways),
      listOfferGiveaways: listOfferGiveaways(giveaways),
      listGivenAwayOffers: listGivenAwayOffers(giveaways),
    }),
    provide(
      PricingIngestService,
      {
        ingestPricing: commits.after(ingestPricing({ database, metrics })),
        exportPricing: exportPricing({ database, history }),
        forgetRecord: forgetRecord({ database, commits }),
      },
      { tokens: ingestTokens },
    ),
    provideFeed({
      database,
      schema: "pricing",
      records: snapshotRecords({ database, history }),
      commits,
      metrics,
    }),
    provideHealth([databaseProbe(database)]),
  ];
}
