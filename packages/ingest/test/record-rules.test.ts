import { createRegistry } from "@bufbuild/protobuf";
import type { Message } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import {
  CatalogIngestService,
  CatalogObservationSchema,
} from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ListSandboxOffersRequestSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { file_storefront_rule_v1_rule } from "@storefront/contracts/rule/v1/rule";
import { SearchIngestService } from "@storefront/contracts/search/v1/search_ingest_service";
import { MemberFault } from "@storefront/import-format";
import { recordsOf, ruledMessages } from "@storefront/testkit";
import { describe, expect, it } from "vitest";
import { compileRecordCheck } from "../src/apply/compiled-kind.ts";

const services = [
  CatalogIngestService,
  PricingIngestService,
  ReviewsIngestService,
  SearchIngestService,
];
const schemas = services
  .flatMap(({ methods }) => methods.map(({ input }) => input))
  .flatMap(recordsOf);

const validator = createValidator({ registry: createRegistry(file_storefront_rule_v1_rule) });

/** Rules of all records, beyond those of the contract. */
const ofAllRecords = new Set([
  "must not contain NUL",
  "must be an integer of at most 2^53",
  "must be a finite number",
]);

function faultOf(check: (record: Message) => void, record: Message): MemberFault | undefined {
  try {
    check(record);
    return undefined;
  } catch (error) {
    if (error instanceof MemberFault) return error;
    throw error;
  }
}

describe("the check of records", () => {
  it.each(schemas)("rejects the same as protovalidate, for $typeName", (schema) => {
    const check = compileRecordCheck(schema);
    const verdicts = new Set<string>();
    for (const record of ruledMessages(schema, schemas.length)) {
      const { kind, violations = [], error } = validator.validate(schema, record);
      if (kind === "error") throw error;
      const theirs = violations.map(({ field }) => localPath(pathToString(field)));
      const fault = faultOf(check, record);
      const ours = fault === undefined || ofAllRecords.has(fault.rule) ? [] : [fault.path];
      expect(fault === undefined ? theirs : []).toEqual([]);
      expect(ours.filter((path) => !theirs.includes(path))).toEqual([]);
      verdicts.add(kind);
    }
    // Both valid and invalid records were checked.
    expect(verdicts).toEqual(new Set(["valid", "invalid"]));
  });

  it("does not compile for messages with other rules", () => {
    for (const schema of [CatalogObservationSchema, ListSandboxOffersRequestSchema]) {
      expect(() => compileRecordCheck(schema)).toThrow("not checked in records");
    }
  });
});

/** `keyImages[0]` for `key_images[0]`. */
function localPath(path: string): string {
  return path.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
