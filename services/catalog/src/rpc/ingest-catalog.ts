import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitSignal } from "@storefront/change-feed";
import type { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { Database } from "@storefront/database";
import { ingestHandler } from "@storefront/ingest";
import type { Metrics } from "@storefront/telemetry";
import { catalogKinds } from "../kinds/catalog-kinds.ts";

export function ingestCatalog(deps: {
  database: Database;
  /** Told of every batch that was committed. */
  commits: CommitSignal;
  /** Where batches are counted; default nowhere. */
  metrics: Metrics | undefined;
}): ServiceImpl<typeof CatalogIngestService>["ingestCatalog"] {
  return deps.commits.after(
    ingestHandler({
      database: deps.database,
      metrics: deps.metrics,
      schema: "catalog",
      kinds: catalogKinds,
    }),
  );
}
