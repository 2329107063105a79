import type { Sandbox as SandboxRecord } from "@storefront/contracts/catalog/v1/sandbox";
import type { Sandbox } from "../schemas/sandbox.ts";
import { instantOf } from "./instant.ts";
import type { Shows } from "./shows.ts";

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
