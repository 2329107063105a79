import type { Asset } from "@storefront/contracts/catalog/v1/asset";
import type { SandboxAsset } from "../schemas/sandbox-asset.ts";
import { instantOf } from "./instant.ts";
import { integerOf } from "./integer.ts";
import type { Shows } from "./shows.ts";

/** A stored asset as REST shows it. */
export function sandboxAssetOf(record: Asset): Shows<SandboxAsset, Asset> {
  return {
    artifactId: record.artifactId,
    itemId: record.itemId ?? null,
    namespace: record.namespace,
    platform: record.platform,
    title: record.title ?? null,
    downloadSizeBytes: integerOf(record.downloadSizeBytes),
    installedSizeBytes: integerOf(record.installedSizeBytes),
    updatedAt: instantOf(record.updatedAt),
    id: record.id ?? null,
  };
}
