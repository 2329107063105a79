import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitSignal } from "@storefront/change-feed";
import type { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { Database } from "@storefront/database";
import { forgetHandler } from "@storefront/ingest";
import { catalogKinds } from "../kinds/catalog-kinds.ts";

export function forgetRecord(deps: {
  database: Database;
  /** Told when it was committed. */
  commits: CommitSignal;
}): ServiceImpl<typeof CatalogIngestService>["forgetRecord"] {
  return forgetHandler({ ...deps, schema: "catalog", kinds: catalogKinds });
}
