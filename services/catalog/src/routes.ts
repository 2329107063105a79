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
import type { RouteDependencies } from "@storefront/service-process";
import { catalogKinds } from "./kinds/catalog-kinds.ts";
import { batchGetChangeContexts } from "./rpc/batch-get-change-contexts.ts";
import { batchGetItems } from "./rpc/batch-get-items.ts";
import { batchGetOffers } from "./rpc/batch-get-offers.ts";
import { checkOffersExist } from "./rpc/check-offers-exist.ts";
import { countOffersBySeller } from "./rpc/count-offers-by-seller.ts";
import { getItemOffer } from "./rpc/get-item-offer.ts";
import { getItem } from "./rpc/get-item.ts";
import { getOfferOverview } from "./rpc/get-offer-overview.ts";
import { getOffer } from "./rpc/get-offer.ts";
import { getSandbox } from "./rpc/get-sandbox.ts";
import { listItemBuilds } from "./rpc/list-item-builds.ts";
import { listItems } from "./rpc/list-items.ts";
import { listRankedOffers } from "./rpc/list-ranked-offers.ts";
import { listSandboxAssets } from "./rpc/list-sandbox-assets.ts";
import { listSandboxOffers } from "./rpc/list-sandbox-offers.ts";
import { resolveSlugs } from "./rpc/resolve-slugs.ts";
import { AssetStore } from "./store/asset-store.ts";
import { BuildStore } from "./store/build-store.ts";
import { ChangeContextStore } from "./store/change-context-store.ts";
import { ItemStore } from "./store/item-store.ts";
import { OfferOverviewStore } from "./store/offer-overview-store.ts";
import { OfferStore } from "./store/offer-store.ts";
import { RankingStore } from "./store/ranking-store.ts";
import { SandboxStore } from "./store/sandbox-store.ts";

/** Every service of the catalog with its handlers. */
export function routes({ database, ingestTokens, metrics }: RouteDependencies): ProvidedService[] {
  const stores = {
    assets: new AssetStore(database),
    builds: new BuildStore(database),
    changeContexts: new ChangeContextStore(database),
    items: new ItemStore(database),
    offers: new OfferStore(database),
    overviews: new OfferOverviewStore(database),
    rankings: new RankingStore(database),
    sandboxes: new SandboxStore(database),
  };
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
