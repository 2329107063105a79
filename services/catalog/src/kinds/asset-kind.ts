import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import type { RecordKind } from "@storefront/ingest";
import { foldCase } from "../domain/fold-case.ts";
import { instantOf } from "./instant-of.ts";
import { summarize } from "./summarize.ts";

/** Assets: installable artifacts by platform and sandbox. */
export const assetKind: RecordKind<typeof AssetSchema> = {
  name: "asset",
  schema: AssetSchema,
  table: "catalog.asset",
  hasKeyDigest: true,
  columns: [
    { name: "id", type: "text", value: (asset) => asset.id },
    { name: "item_id", type: "text", value: (asset) => asset.itemId },
    { name: "platform_folded", type: "text", value: (asset) => foldCase(asset.platform) },
    { name: "download_size_bytes", type: "int8", value: (asset) => asset.downloadSizeBytes },
    { name: "installed_size_bytes", type: "int8", value: (asset) => asset.installedSizeBytes },
    { name: "updated_at", type: "timestamptz", value: (asset) => instantOf(asset.updatedAt) },
  ],
  namespace: (asset) => asset.namespace,
  summary: ({ artifactId, platform, title, namespace }) =>
    summarize({ artifactId, platform, title, namespace }),
};
