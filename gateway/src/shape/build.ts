import type { Build as BuildRecord, BuildTechnology } from "@storefront/contracts/catalog/v1/build";
import type { ItemBuild } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Build } from "../schemas/build.ts";
import type { ItemSummary } from "../schemas/item.ts";
import { instantOf } from "./instant.ts";
import { integerOf } from "./integer.ts";
import type { Shows } from "./shows.ts";

/** All of the stored build, and of what the catalog finds out about it. */
type ShownBuild = Shows<Shows<Build, BuildRecord>, ItemBuild, "build" | "manifestStatus">;

/** A build as its item shows it; the times it was seen fall back to those it was made and changed. */
export function buildOf(itemBuild: ItemBuild, item: ItemSummary): ShownBuild {
  const record = itemBuild.build;
  const id = record?.id ?? "";
  return {
    id,
    _id: id,
    appName: record?.appName ?? null,
    labelName: record?.labelName ?? null,
    platform: itemBuild.platform ?? null,
    buildVersion: record?.buildVersion ?? null,
    hash: record?.hash ?? null,
    firstSeenAt: instantOf(record?.firstSeenAt ?? record?.createdAt),
    lastSeenAt: instantOf(record?.lastSeenAt ?? record?.updatedAt),
    createdAt: instantOf(record?.createdAt),
    updatedAt: instantOf(record?.updatedAt),
    downloadSizeBytes: integerOf(itemBuild.downloadSizeBytes),
    installedSizeBytes: integerOf(itemBuild.installedSizeBytes),
    technologies: (record?.technologies ?? []).map(buildTechnologyOf),
    manifest: manifestOf(record, itemBuild.manifestStatus),
    comparable: itemBuild.comparable,
    sameStream: itemBuild.sameStream,
    item,
  };
}

/** A technology found in a build. */
export function buildTechnologyOf({
  section,
  technology,
}: BuildTechnology): Build["technologies"][number] {
  return { section: section ?? null, technology: technology ?? null };
}

// A build is named by the digest of the manifest that it was found with.
function manifestOf(build: BuildRecord | undefined, status: string): Build["manifest"] {
  const record = build?.manifest;
  return {
    status,
    canonicalHash: record?.canonicalHash ?? null,
    sourceHash: record?.sourceHash ?? build?.hash ?? null,
    parserVersion: record?.parserVersion ?? null,
    processedAt: instantOf(record?.processedAt),
    fileCount: integerOf(record?.fileCount),
    fileBytes: integerOf(record?.fileBytes),
    errorCode: record?.errorCode ?? null,
  };
}
