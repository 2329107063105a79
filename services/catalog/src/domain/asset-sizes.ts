import { compareCodePoints } from "@storefront/database";
import { foldCase } from "./fold-case.ts";

/** The members of an asset with the size of a build. */
export interface SizedAsset {
  artifactId: string;
  platform: string;
  namespace: string;
  downloadSizeBytes: bigint | undefined;
  installedSizeBytes: bigint | undefined;
}

/** Sizes in bytes; each may be unknown. */
export interface Sizes {
  downloadSizeBytes: bigint | undefined;
  installedSizeBytes: bigint | undefined;
}

/** Looks up the sizes of the assets of an application on a platform, whose case is ignored. */
export type SizesOf = (appName: string, platform: string) => Sizes;

/**
 * Sizes by application and platform. Each size is that of the first asset that knows it: those of
 * the item's own namespace come first, then by namespace and platform, ascending by code point.
 */
export function sizesByApplication(
  assets: readonly SizedAsset[],
  itemNamespace: string | undefined,
): SizesOf {
  const own = (asset: SizedAsset): number => (asset.namespace === itemNamespace ? 0 : 1);
  const ordered = assets.toSorted(
    (a, b) =>
      own(a) - own(b) ||
      compareCodePoints(a.namespace, b.namespace) ||
      compareCodePoints(a.platform, b.platform),
  );
  const byKey = Map.groupBy(ordered, (asset) => keyOf(asset.artifactId, asset.platform));
  return (appName, platform) => {
    const candidates = byKey.get(keyOf(appName, platform)) ?? [];
    return {
      downloadSizeBytes: firstKnown(candidates.map((asset) => asset.downloadSizeBytes)),
      installedSizeBytes: firstKnown(candidates.map((asset) => asset.installedSizeBytes)),
    };
  };
}

// Identifiers have no control characters, so a line feed separates them.
function keyOf(appName: string, platform: string): string {
  return `${appName}\n${foldCase(platform)}`;
}

function firstKnown(sizes: readonly (bigint | undefined)[]): bigint | undefined {
  return sizes.find((size) => size !== undefined);
}
