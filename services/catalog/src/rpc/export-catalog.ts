import type { ServiceImpl } from "@connectrpc/connect";
import {
  CatalogObservationSchema,
  ExportCatalogResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { Database } from "@storefront/database";
import { exportBatches } from "@storefront/ingest";
import { catalogKinds } from "../kinds/catalog-kinds.ts";

export function exportCatalog(deps: {
  database: Database;
}): ServiceImpl<typeof CatalogIngestService>["exportCatalog"] {
  return () =>
    exportBatches({
      database: deps.database,
      schema: "catalog",
      kinds: catalogKinds,
      observationSchema: CatalogObservationSchema,
      responseSchema: ExportCatalogResponseSchema,
    });
}
