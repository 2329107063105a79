import { CommitSignal, LogTail, provideFeed } from "@storefront/change-feed";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { forgetHandler, ingestHandler, recordsWithPast } from "@storefront/ingest";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { RouteDependencies } from "@storefront/service-process";
import { pricingKinds } from "./kinds/pricing-kinds.ts";
import { batchGetPrices } from "./rpc/batch-get-prices.ts";
import { everyObservation, exportPricing } from "./rpc/export-pricing.ts";
import { getPrice } from "./rpc/get-price.ts";
import { listCurrentGiveaways } from "./rpc/list-current-giveaways.ts";
import { listDiscountedPrices } from "./rpc/list-discounted-prices.ts";
import { listGiveaways } from "./rpc/list-giveaways.ts";
import { listGivenAwayOffers } from "./rpc/list-given-away-offers.ts";
import { listOfferGiveaways } from "./rpc/list-offer-giveaways.ts";
import { listOfferPrices } from "./rpc/list-offer-prices.ts";
import { listPriceChanges } from "./rpc/list-price-changes.ts";
import { listPriceHistory } from "./rpc/list-price-history.ts";
import { snapshotRecords } from "./rpc/snapshot-records.ts";
import { watchPriceChanges } from "./rpc/watch-price-changes.ts";
import { GiveawayStore } from "./store/giveaway-store.ts";
import { priceChangeLog } from "./store/price-change-log.ts";
import { PriceHistoryStore } from "./store/price-history-store.ts";
import { PriceStore } from "./store/price-store.ts";

/** Every RPC of the service, each handled by the file of its name. */
export function routes({ database, ingestTokens, metrics }: RouteDependencies): ProvidedService[] {
  const stores = {
    prices: new PriceStore(database),
    history: new PriceHistoryStore(database),
    giveaways: new GiveawayStore(database),
  };
  const records = {
    database,
    schema: "pricing",
    kinds: pricingKinds,
    commits: new CommitSignal(),
    metrics,
  };
  const changes = priceChangeLog(database);
  const { commits } = records;
  const tail = new LogTail({ source: changes, polling: database.polling, commits });
  const reads = provide(PricingService, {
    getPrice: getPrice(stores),
    batchGetPrices: batchGetPrices(stores),
    listOfferPrices: listOfferPrices(stores),
    listDiscountedPrices: listDiscountedPrices(stores),
    listPriceHistory: listPriceHistory(stores),
    listCurrentGiveaways: listCurrentGiveaways(stores),
    listGiveaways: listGiveaways(stores),
    listOfferGiveaways: listOfferGiveaways(stores),
    listGivenAwayOffers: listGivenAwayOffers(stores),
    listPriceChanges: listPriceChanges({ database, changes }),
    watchPriceChanges: watchPriceChanges({ changes, tail }),
  });
  return [
    { ...reads, drain: () => tail.close() },
    provide(
      PricingIngestService,
      {
        ingestPricing: ingestHandler(records),
        exportPricing: exportPricing({ database, ...stores }),
        forgetRecord: forgetHandler(records),
      },
      { tokens: ingestTokens },
    ),
    provideFeed({
      ...records,
      records: snapshotRecords({ database, ...stores }),
      recordsWithPast: recordsWithPast(pricingKinds, () =>
        everyObservation(database, stores.history),
      ),
    }),
    provideHealth([databaseProbe(database)]),
  ];
}
