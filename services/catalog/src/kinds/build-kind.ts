import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { identifier, rules } from "@storefront/ingest";
import type { RecordKind } from "@storefront/ingest";
import { instantOf } from "./instant-of.ts";
import { summarize } from "./summarize.ts";

/** Builds of applications. They have no namespace: items and assets name their application. */
export const buildKind: RecordKind<typeof BuildSchema> = {
  name: "build",
  schema: BuildSchema,
  table: "catalog.build",
  identity: ["id"],
  columns: [
    { name: "app_name", type: "text", value: (build) => build.appName },
    { name: "updated_at", type: "timestamptz", value: (build) => instantOf(build.updatedAt) },
  ],
  rules: {
    appName: identifier,
    downloadSizeBytes: rules.size,
    installedSizeBytes: rules.size,
    "manifest.fileCount": rules.size,
    "manifest.fileBytes": rules.size,
  },
  summary: ({ id, appName, buildVersion }) => summarize({ id, appName, buildVersion }),
};
