import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import { rules } from "@storefront/ingest";
import type { RecordKind } from "@storefront/ingest";
import { summarize } from "./summarize.ts";

/** Sandboxes; a sandbox's id is its namespace. */
export const sandboxKind: RecordKind<typeof SandboxSchema> = {
  name: "sandbox",
  schema: SandboxSchema,
  table: "catalog.sandbox",
  identity: ["id"],
  columns: [],
  namespace: (sandbox) => sandbox.id,
  rules: { title: rules.title, displayName: rules.title },
  summary: ({ id, title }) => summarize({ id, title, namespace: id }),
};
