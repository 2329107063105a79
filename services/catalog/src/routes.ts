import { CommitSignal, provideFeed } from "@storefront/change-feed";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Database } from "@storefront/database";
import { currentRecords } from "@storefront/ingest";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { Metrics } from "@storefront/telemetry";
import { catalogKinds } from "./kinds/catalog-kinds.ts";
import { batchGetChangeContexts } from "./rpc/batch-get-change-contexts.ts";
import { batchGetItems } from "./rpc/batch-get-items.ts";
import { batchGetOffers } from "./rpc/batch-get-offers.ts";
import { checkOffersExist } from "./rpc/check-offers-exist.ts";
import { countOffersBySeller } from "./rpc/count-offers-by-seller.ts";
import { exportCatalog } from "./rpc/export-catalog.ts";
import { forgetRecord } from "./rpc/forget-record.ts";
import { getItemOffer } from "./rpc/get-item-offer.ts";
import { getItem } from "./rpc/get-item.ts";
import { getOfferOverview } from "./rpc/get-offer-overview.ts";
import { getOffer } from "./rpc/get-offer.ts";
import { getSandbox } from "./rpc/get-sandbox.ts";
import { ingestCatalog } from "./rpc/ingest-catalog.ts";
import { listItemBuilds } from "./rpc/list-item-builds.ts";
import { listItems } from "./rpc/list-items.ts";
import { listRankedOffers } from "./rpc/list-ranked-offers.ts";
import { listSandboxAssets } from "./rpc/list-sandbox-assets.ts";
import { listSandboxOffers } from "./rpc/list-sandbox-offers.ts";
import { resolveSlugs } from "./rpc/resolve-slugs.ts";
import type { Stores } from "./store/stores.ts";

/** What the catalog's services are made of. */
export interface RouteDependencies {
  database: Database;
  stores: Stores;
  ingestTokens: readonly string[];
  /** Where the log and what is ingested are reported; default nowhere. */
  metrics: Metrics | undefined;
}

/** Every service of the catalog with its handlers. */
export function catalogRoutes({
  database,
  stores,
  ingestTokens,
  metrics,
}: RouteDependencies): ProvidedService[] {
  const commits = new CommitSignal();
  return [
    provide(CatalogService, {
      getSandbox: getSandbox(stores),
      listSandboxAssets: listSandboxAssets(stores),
      listSandboxOffers: listSandboxOffers(stores),
      getOffer: getOffer(stores),
      batchGetOffers: batchGetOffers(stores),
      getOfferOverview: getOfferOverview(stores),
      listRankedOffers: listRankedOffers(stores),
      countOffersBySeller: countOffersBySeller(stores),
      resolveSlugs: resolveSlugs(stores),
      checkOffersExist: checkOffersExist(stores),
      listItems: listItems(stores),
      getItem: getItem(stores),
      batchGetItems: batchGetItems(stores),
      getItemOffer: getItemOffer(stores),
      listItemBuilds: listItemBuilds(stores),
      batchGetChangeContexts: batchGetChangeContexts(stores),
    }),
    provide(
      CatalogIngestService,
      {
        ingestCatalog: ingestCatalog({ database, commits, metrics }),
        exportCatalog: exportCatalog({ database }),
        forgetRecord: forgetRecord({ database, commits }),
      },
      { tokens: ingestTokens },
    ),
    provideFeed({
      database,
      schema: "catalog",
      records: currentRecords(database, catalogKinds),
      commits,
      metrics,
    }),
    provideHealth([databaseProbe(database)]),
  ];
}
