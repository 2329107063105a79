import { z } from "zod";
import { zItemSummary } from "./item.ts";
import { zInstant, zSizeBytes, zText } from "./members.ts";

const zBuildTechnology = z
  .object({ section: zText, technology: zText })
  .meta({ id: "BuildTechnology", description: "A technology found in a build." });

const zBuildManifest = z
  .object({
    status: z.string().meta({
      description:
        "`processing`, `verified`, `invalid`, `unavailable`, `failed` or `legacy_unverified`.",
      example: "processing",
    }),
    canonicalHash: zText,
    sourceHash: zText,
    parserVersion: zText,
    processedAt: zInstant,
    fileCount: z.int().min(0).nullable(),
    fileBytes: zSizeBytes,
    errorCode: zText,
  })
  .meta({ id: "BuildManifest", description: "What is known of a build's files." });

/** One published version of an application. */
export const zBuild = z
  .object({
    id: z.string(),
    _id: z.string(),
    appName: zText,
    labelName: zText,
    platform: zText,
    buildVersion: zText,
    hash: zText,
    firstSeenAt: zInstant,
    lastSeenAt: zInstant,
    createdAt: zInstant,
    updatedAt: zInstant,
    downloadSizeBytes: zSizeBytes,
    installedSizeBytes: zSizeBytes,
    technologies: z.array(zBuildTechnology),
    manifest: zBuildManifest,
    comparable: z.boolean().meta({ description: "The files can be compared with other builds." }),
    sameStream: z.boolean().meta({ description: "Same label as the newest build of the answer." }),
    item: zItemSummary,
  })
  .meta({ id: "Build", description: "One published version of an item's application." });

export type Build = z.output<typeof zBuild>;
