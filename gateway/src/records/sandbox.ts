import type { Asset } from "@storefront/contracts/catalog/v1/asset";
import type { Sandbox as SandboxRecord } from "@storefront/contracts/catalog/v1/sandbox";
import { z } from "zod";
import { instantOf } from "./instant.ts";
import { integerOf, zInstant, zSizeBytes, zText } from "./members.ts";
import type { Shows } from "./shows.ts";

export const zSandbox = z
  .object({
    _id: z.string().meta({
      description: "Id of the sandbox; the namespace where it has no other.",
      example: "s-calluna",
    }),
    id: z.string().meta({ description: "The same as `_id`.", example: "s-calluna" }),
    namespace: z
      .string()
      .meta({ description: "Name that offers and items carry.", example: "calluna" }),
    title: zText.meta({ description: "Title for people.", example: "Moonlit Harbour" }),
    displayName: zText.meta({
      description: "Name for people, where it differs from the title.",
      example: "Moonlit Harbour",
    }),
    updated: zInstant.meta({ description: "When the sandbox was last changed." }),
    status: zText.meta({ description: "State of the record at its source.", example: "ACTIVE" }),
    store: zText.meta({ description: "Storefront of the sandbox.", example: "main" }),
    slug: zText.meta({ description: "Slug of the product page.", example: "moonlit-harbour" }),
    createdAt: zInstant.meta({ description: "When the sandbox was made." }),
  })
  .meta({ id: "Sandbox", description: "The room in which a product's offers and items live." });

export type Sandbox = z.output<typeof zSandbox>;

/** A stored sandbox as REST shows it: its id is its namespace, under three names. */
export function sandboxOf(record: SandboxRecord): Shows<Sandbox, SandboxRecord> {
  return {
    _id: record.id,
    id: record.id,
    namespace: record.id,
    title: record.title ?? null,
    displayName: record.displayName ?? null,
    updated: instantOf(record.updated),
    status: record.status ?? null,
    store: record.store ?? null,
    slug: record.slug ?? null,
    createdAt: instantOf(record.createdAt),
  };
}

export const zSandboxAsset = z
  .object({
    artifactId: z.string().meta({
      description: "Name of the application; changes are kept under it.",
      example: "Calluna",
    }),
    itemId: zText.meta({
      description: "The item that the asset belongs to.",
      example: "7a1e4c9d2b8f4063a5d7c0e1f2b39486",
    }),
    namespace: z.string().meta({ description: "Sandbox of the asset.", example: "calluna" }),
    platform: z.string().meta({ description: "What it runs on.", example: "Windows" }),
    title: zText.meta({ description: "Name of the asset.", example: "Moonlit Harbour" }),
    downloadSizeBytes: zSizeBytes.meta({ description: "Bytes to download.", example: 2147483648 }),
    installedSizeBytes: zSizeBytes.meta({ description: "Bytes on disk.", example: 4831838208 }),
    updatedAt: zInstant.meta({ description: "When the asset was last changed." }),
    id: zText.meta({ description: "Id of the asset at its source.", example: "a-5d41402abc4b" }),
  })
  .meta({ id: "SandboxAsset", description: "An installable artifact of an item on a platform." });

export type SandboxAsset = z.output<typeof zSandboxAsset>;

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
