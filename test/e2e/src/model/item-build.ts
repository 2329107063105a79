import { newestFirst } from "./order.ts";
import type { AssetRecord, BuildRecord, ItemRecord } from "./records.ts";

/** Records that complete a build of an item. */
export interface BuildSurroundings {
  item: ItemRecord;
  /** The newest build of the response. */
  newest: BuildRecord | undefined;
  /** All assets. */
  assets: readonly AssetRecord[];
}

/** A build as `listItemBuilds` shows it. */
export function buildOf(
  build: BuildRecord,
  { item, newest, assets }: BuildSurroundings,
): Record<string, unknown> {
  const label = build.labelName ?? "";
  const labelled = label.includes("-") ? label.slice(label.lastIndexOf("-") + 1) : "";
  const platform = build.platform ?? (labelled || null);
  const fitting = newestFirst(
    assets.filter(
      (asset) =>
        asset.artifactId === build.appName &&
        asset.platform.toLowerCase() === platform?.toLowerCase(),
    ),
    () => undefined,
    // The item's own namespace first.
    ({ namespace }) => (namespace === item.namespace ? "" : namespace),
  );
  const sizeOf = (member: "downloadSizeBytes" | "installedSizeBytes") =>
    build[member] ?? fitting.map((asset) => asset[member]).find((size) => typeof size === "number");
  const status = build.manifest?.status ?? "legacy_unverified";
  return {
    ...build,
    _id: build.id,
    platform,
    firstSeenAt: build.firstSeenAt ?? build.createdAt,
    lastSeenAt: build.lastSeenAt ?? build.updatedAt,
    downloadSizeBytes: sizeOf("downloadSizeBytes"),
    installedSizeBytes: sizeOf("installedSizeBytes"),
    manifest: {
      ...build.manifest,
      status,
      sourceHash: build.manifest?.sourceHash ?? build.hash,
    },
    comparable:
      ["verified", "legacy_unverified"].includes(status) && Boolean(build.manifest?.canonicalHash),
    sameStream: build.labelName === newest?.labelName,
    item: summaryOf(item),
  };
}

/** An item as lists and builds show it. */
export function summaryOf(item: ItemRecord): Record<string, unknown> {
  const { id, namespace, title, keyImages, releaseInfo } = item;
  return { id, namespace, title, keyImages, releaseInfo };
}
