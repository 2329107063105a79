import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import type { RecordKind } from "@storefront/ingest";
import { instantOf } from "./instant-of.ts";
import { summarize } from "./summarize.ts";

/** Builds of applications. They have no namespace: items and assets name their application. */
export const buildKind: RecordKind<typeof BuildSchema> = {
  name: "build",
  schema: BuildSchema,
  table: "catalog.build",
  columns: [
    { name: "app_name", type: "text", value: (build) => build.appName },
    { name: "updated_at", type: "timestamptz", value: (build) => instantOf(build.updatedAt) },
  ],
  summary: ({ id, appName, buildVersion }) => summarize({ id, appName, buildVersion }),
};
