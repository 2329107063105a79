import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { recordFromJson } from "@storefront/import-format";
import { catalogKinds } from "../src/kinds/catalog-kinds.ts";
import type { CatalogObservation, CatalogRecord } from "./start-catalog.ts";

/** A record as the import file has it. */
export type JsonRecord = Record<string, unknown>;

/** An observation of an import file, as it stands there and as messages hold it. */
export interface ReadObservation {
  kind: string;
  json: JsonRecord;
  observation: CatalogObservation;
}

/** The upserts of catalog kinds in gzip-compressed import files, in their order. */
export function* readObservations(...files: string[]): Generator<ReadObservation> {
  for (const file of files) {
    // Not by readline, for which U+2028 inside a string ends the line.
    for (const line of gunzipSync(readFileSync(file)).toString("utf8").split("\n")) {
      if (line === "") continue;
      const { kind, observedAt, record } = JSON.parse(line);
      const schema = catalogKinds.find(({ name }) => name === kind)?.schema;
      if (schema === undefined) continue;
      const value = recordFromJson(schema, record).record;
      yield {
        kind,
        json: record,
        observation: {
          observedAt: timestampFromDate(new Date(observedAt)),
          record: { case: kind, value } as CatalogRecord,
        },
      };
    }
  }
}
