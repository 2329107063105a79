import type { Asset } from "@storefront/contracts/catalog/v1/asset";
import type { Sandbox as SandboxRecord } from "@storefront/contracts/catalog/v1/sandbox";
import type { z } from "zod";
import { instantOf } from "./instant.ts";
import { integerOf, zInstant, zObject, zSizeBytes, zString, zText } from "./members.ts";
import type { Mapped } from "./mapped-fields.ts";

export const zSandbox = zObject("Sandbox", "The room in which a product's offers and items live.", {
  _id: zString("Id of the sandbox; the namespace where it has no other.", "s-calluna"),
  id: zString("The same as `_id`.", "s-calluna"),
  namespace: zString("Name that offers and items carry.", "calluna"),
  title: zText("Title for people.", "Moonlit Harbour"),
  displayName: zText("Name for people, where it differs from the title.", "Moonlit Harbour"),
  updated: zInstant("When the sandbox was last changed."),
  status: zText("State of the record at its source.", "ACTIVE"),
  store: zText("Storefront of the sandbox.", "main"),
  slug: zText("Slug of the product page.", "moonlit-harbour"),
  createdAt: zInstant("When the sandbox was made."),
});

export type Sandbox = z.output<typeof zSandbox>;

/** A stored sandbox as REST shows it: its id is its namespace, under three names. */
export function sandboxOf(record: SandboxRecord): Mapped<Sandbox, SandboxRecord> {
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

export const zSandboxAsset = zObject(
  "SandboxAsset",
  "An installable artifact of an item on a platform.",
  {
    artifactId: zString("Name of the application; the changelog uses it as the id.", "Calluna"),
    itemId: zText("The item that the asset belongs to.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
    namespace: zString("Sandbox of the asset.", "calluna"),
    platform: zString("What it runs on.", "Windows"),
    title: zText("Name of the asset.", "Moonlit Harbour"),
    downloadSizeBytes: zSizeBytes("Bytes to download.", 2147483648),
    installedSizeBytes: zSizeBytes("Bytes on disk.", 4831838208),
    updatedAt: zInstant("When the asset was last changed."),
    id: zText("Id of the asset at its source.", "a-5d41402abc4b"),
  },
);

type SandboxAsset = z.output<typeof zSandboxAsset>;

export function sandboxAssetOf(record: Asset): Mapped<SandboxAsset, Asset> {
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
