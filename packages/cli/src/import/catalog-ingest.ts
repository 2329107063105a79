import { createClient } from "@connectrpc/connect";
import { AgeRatingSchema } from "@storefront/contracts/catalog/v1/age_rating";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { CatalogObservation } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { OfferDetailsSchema } from "@storefront/contracts/catalog/v1/offer_details";
import { OfferTextSchema } from "@storefront/contracts/catalog/v1/offer_text";
import { RankingSchema } from "@storefront/contracts/catalog/v1/ranking";
import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import { TagSchema } from "@storefront/contracts/catalog/v1/tag";
import type { IngestService } from "./ingest-service.ts";
import { kindOf } from "./kind-of.ts";

type RecordCase = CatalogObservation["record"];

/** Catalogue observations over `CatalogIngestService`. */
export const catalogIngest: IngestService<RecordCase> = {
  name: "catalog",
  kinds: {
    sandbox: kindOf(SandboxSchema, (value) => ({ case: "sandbox", value })),
    tag: kindOf(TagSchema, (value) => ({ case: "tag", value })),
    offer: kindOf(OfferSchema, (value) => ({ case: "offer", value })),
    offerText: kindOf(OfferTextSchema, (value) => ({ case: "offerText", value })),
    item: kindOf(ItemSchema, (value) => ({ case: "item", value })),
    asset: kindOf(AssetSchema, (value) => ({ case: "asset", value })),
    build: kindOf(BuildSchema, (value) => ({ case: "build", value })),
    offerDetails: kindOf(OfferDetailsSchema, (value) => ({ case: "offerDetails", value })),
    ageRating: kindOf(AgeRatingSchema, (value) => ({ case: "ageRating", value })),
    ranking: kindOf(RankingSchema, (value) => ({ case: "ranking", value })),
  },
  ingest: (transport, batches, options) =>
    createClient(CatalogIngestService, transport).ingestCatalog(batches, options),
};
