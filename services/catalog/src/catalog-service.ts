import { CommitSignal, provideFeed } from "@storefront/change-feed";
import {
  CatalogIngestService,
  CatalogObservationSchema,
  ExportCatalogResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import {
  currentRecords,
  everythingStored,
  exportHandler,
  forgetHandler,
  ingestHandlers,
  recordsWithPast,
} from "@storefront/ingest";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import { defineRecordService } from "@storefront/service-process";
import type { RouteDependencies } from "@storefront/service-process";
import { catalogKinds } from "./kinds/catalog-kinds.ts";
import { changeContextHandlers } from "./rpc/change-contexts.ts";
import { itemHandlers } from "./rpc/items.ts";
import { offerOverviewHandlers } from "./rpc/offer-overview.ts";
import { offerHandlers } from "./rpc/offers.ts";
import { sandboxHandlers } from "./rpc/sandboxes.ts";

export const catalogService = defineRecordService({
  name: "catalog",
  migrations: { schema: "catalog", directory: new URL("../migrations", import.meta.url) },
  routes,
});

function routes({ database, ingestTokens, metrics }: RouteDependencies): ProvidedService[] {
  const records = {
    database,
    schema: "catalog",
    kinds: catalogKinds,
    commits: new CommitSignal(),
    metrics,
  };
  const { ingest, mirror } = ingestHandlers(records);
  return [
    provide(CatalogService, {
      ...sandboxHandlers(database),
      ...offerHandlers(database),
      ...offerOverviewHandlers(database),
      ...itemHandlers(database),
      ...changeContextHandlers(database),
    }),
    provide(
      CatalogIngestService,
      {
        ingestCatalog: ingest,
        mirrorCatalog: mirror,
        exportCatalog: exportHandler(records, {
          observationSchema: CatalogObservationSchema,
          responseSchema: ExportCatalogResponseSchema,
        }),
        forgetRecord: forgetHandler(records),
      },
      { tokens: ingestTokens },
    ),
    provideFeed({
      ...records,
      records: currentRecords(database, catalogKinds),
      recordsWithPast: recordsWithPast(catalogKinds, () => everythingStored(records)),
    }),
    provideHealth([databaseProbe(database)]),
  ];
}
