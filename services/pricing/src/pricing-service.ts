import { CommitSignal, LogTail, provideFeed } from "@storefront/change-feed";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import {
  ListRegionsResponseSchema,
  PricingService,
} from "@storefront/contracts/pricing/v1/pricing_service";
import { forgetHandler, ingestHandler, recordsWithPast } from "@storefront/ingest";
import { databaseProbe, encodedOf, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import { defineRecordService } from "@storefront/service-process";
import type { RouteDependencies } from "@storefront/service-process";
import { pricingKinds } from "./kinds/pricing-kinds.ts";
import { everyObservation, exportPricing, snapshotRecords } from "./rpc/exported-records.ts";
import { giveawayHandlers } from "./rpc/giveaways.ts";
import { priceChangeHandlers } from "./rpc/price-changes.ts";
import { priceHandlers } from "./rpc/prices.ts";
import { priceChangeLog } from "./store/price-change-log.ts";
import { PriceStore } from "./store/price-store.ts";
import { listRegions } from "./store/region-store.ts";

export const pricingService = defineRecordService({
  name: "pricing",
  migrations: { schema: "pricing", directory: new URL("../migrations", import.meta.url) },
  routes,
});

function routes({ database, ingestTokens, metrics }: RouteDependencies): ProvidedService[] {
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
    listRegions: async () =>
      encodedOf(ListRegionsResponseSchema, { regions: await listRegions(database) }),
    ...priceHandlers({ prices: new PriceStore(database) }),
    ...giveawayHandlers(database),
    ...priceChangeHandlers({ database, changes, tail }),
  });
  return [
    { ...reads, drain: () => tail.close() },
    provide(
      PricingIngestService,
      {
        ingestPricing: ingestHandler(records),
        exportPricing: exportPricing(database),
        forgetRecord: forgetHandler(records),
      },
      { tokens: ingestTokens },
    ),
    provideFeed({
      ...records,
      records: snapshotRecords(database),
      recordsWithPast: recordsWithPast(pricingKinds, ({ sequence }) =>
        everyObservation(database, sequence),
      ),
    }),
    provideHealth([databaseProbe(database)]),
  ];
}
