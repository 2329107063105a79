import { createAssetStore } from "./asset-store.ts";
import type { AssetStore } from "./asset-store.ts";
import { createBuildStore } from "./build-store.ts";
import type { BuildStore } from "./build-store.ts";
import { createChangeContextStore } from "./change-context-store.ts";
import type { ChangeContextStore } from "./change-context-store.ts";
import { createItemStore } from "./item-store.ts";
import type { ItemStore } from "./item-store.ts";
import { createOfferOverviewStore } from "./offer-overview-store.ts";
import type { OfferOverviewStore } from "./offer-overview-store.ts";
import { createOfferStore } from "./offer-store.ts";
import type { OfferStore } from "./offer-store.ts";
import { createRankingStore } from "./ranking-store.ts";
import type { RankingStore } from "./ranking-store.ts";
import type { Queryable } from "@storefront/database";
import { createSandboxOfferStore } from "./sandbox-offer-store.ts";
import type { SandboxOfferStore } from "./sandbox-offer-store.ts";
import { createSandboxStore } from "./sandbox-store.ts";
import type { SandboxStore } from "./sandbox-store.ts";
import { createSellerStore } from "./seller-store.ts";
import type { SellerStore } from "./seller-store.ts";
import { createSlugStore } from "./slug-store.ts";
import type { SlugStore } from "./slug-store.ts";

/** Every store of the catalog; a handler names those that it uses. */
export interface Stores {
  assets: AssetStore;
  builds: BuildStore;
  changeContexts: ChangeContextStore;
  items: ItemStore;
  offers: OfferStore;
  overviews: OfferOverviewStore;
  rankings: RankingStore;
  sandboxes: SandboxStore;
  sandboxOffers: SandboxOfferStore;
  sellers: SellerStore;
  slugs: SlugStore;
}

export function createStores(database: Queryable): Stores {
  return {
    assets: createAssetStore(database),
    builds: createBuildStore(database),
    changeContexts: createChangeContextStore(database),
    items: createItemStore(database),
    offers: createOfferStore(database),
    overviews: createOfferOverviewStore(database),
    rankings: createRankingStore(database),
    sandboxes: createSandboxStore(database),
    sandboxOffers: createSandboxOfferStore(database),
    sellers: createSellerStore(database),
    slugs: createSlugStore(database),
  };
}
