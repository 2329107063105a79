import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import type { RecordKind } from "@storefront/ingest";
import { summarize } from "./summarize.ts";

/** Sandboxes; a sandbox's id is its namespace. */
export const sandboxKind: RecordKind<typeof SandboxSchema> = {
  name: "sandbox",
  schema: SandboxSchema,
  table: "catalog.sandbox",
  columns: [],
  namespace: (sandbox) => sandbox.id,
  summary: ({ id, title }) => summarize({ id, title, namespace: id }),
};
