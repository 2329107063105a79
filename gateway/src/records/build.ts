import type { Build as BuildRecord, BuildTechnology } from "@storefront/contracts/catalog/v1/build";
import type { ItemBuild } from "@storefront/contracts/catalog/v1/catalog_service";
import { z } from "zod";
import { instantOf } from "./instant.ts";
import { zItemSummary } from "./item.ts";
import type { ItemSummary } from "./item.ts";
import { integerOf, zInstant, zList, zObject, zSizeBytes, zString, zText } from "./members.ts";
import type { Mapped } from "./mapped-fields.ts";

export const zBuildTechnology = zObject("BuildTechnology", "A technology found in a build.", {
  section: zText("Kind of technology.", "Engine"),
  technology: zText("Its name.", "Unity"),
});

const zBuildManifest = zObject("BuildManifest", "What is known of a build's files.", {
  status: zString(
    "`processing`, `verified`, `invalid`, `unavailable`, `failed` or `legacy_unverified`.",
    "processing",
  ),
  canonicalHash: zText(
    "SHA-256 of the list of files in its canonical form.",
    "3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea",
  ),
  sourceHash: zText(
    "SHA-1 of the manifest as it was found, else the build's `hash`.",
    "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
  ),
  parserVersion: zText("Version of the program that read the manifest.", "4"),
  processedAt: zInstant("When the manifest was read."),
  fileCount: z.int().min(0).nullable().meta({ description: "Number of files.", example: 1204 }),
  fileBytes: zSizeBytes("Size of all files together, in bytes.", 4831838208),
  errorCode: zText("Why the manifest could not be read; null when it was.", "MANIFEST_NOT_FOUND"),
});

export const zBuild = zObject("Build", "One published version of an item's application.", {
  id: zString("Id of the build.", "b1946ac92492d2347c6235b4d2611184"),
  _id: zString("The same as `id`.", "b1946ac92492d2347c6235b4d2611184"),
  appName: zText("Name of the application; items carry it in `releaseInfo[].appId`.", "Calluna"),
  labelName: zText("Release channel and platform.", "Live-Windows"),
  platform: zText(
    "Platform of the build, else the part of `labelName` after its last hyphen.",
    "Windows",
  ),
  buildVersion: zText("Version as the developer names it.", "1.4.2-8812"),
  hash: zText("SHA-1 of the build's manifest.", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
  firstSeenAt: zInstant("When the build was first seen, else when it was made."),
  lastSeenAt: zInstant("When the build was last seen, else when it was changed."),
  createdAt: zInstant("When the build was made."),
  updatedAt: zInstant("When the build was last changed."),
  downloadSizeBytes: zSizeBytes("Bytes to download, else those of its asset.", 2147483648),
  installedSizeBytes: zSizeBytes("Bytes on disk, else those of its asset.", 4831838208),
  technologies: zList(zBuildTechnology, "What the build is made with."),
  manifest: zBuildManifest,
  comparable: z.boolean().meta({ description: "The files can be compared with other builds." }),
  sameStream: z.boolean().meta({ description: "Same label as the newest build in the response." }),
  item: zItemSummary,
});

export type Build = z.output<typeof zBuild>;

/** All of the stored build, and of what the catalog adds to it. */
type ShownBuild = Mapped<Mapped<Build, BuildRecord>, ItemBuild, "build" | "manifestStatus">;

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
