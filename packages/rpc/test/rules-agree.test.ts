import { createRegistry, hasOption } from "@bufbuild/protobuf";
import type { DescMessage, DescService } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import { field as fieldOption } from "@storefront/contracts/buf/validate/validate";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { file_storefront_rule_v1_rule } from "@storefront/contracts/rule/v1/rule";
import { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import { SearchIngestService } from "@storefront/contracts/search/v1/search_ingest_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { WebhookService } from "@storefront/contracts/webhooks/v1/webhook_service";
import { recordsOf, ruledMessages } from "@storefront/testkit";
import { describe, expect, it } from "vitest";
import { compileCheck, maxViolations } from "../src/rules/compile-check.ts";

const services: readonly DescService[] = [
  CatalogIngestService,
  CatalogService,
  ChangelogIngestService,
  ChangelogService,
  FeedService,
  PricingIngestService,
  PricingService,
  ReviewsIngestService,
  ReviewsService,
  SearchIndexService,
  SearchIngestService,
  SearchService,
  WebhookService,
];

/** Requests, and the records in those that write. */
const schemas = services
  .flatMap(({ methods }) => methods.map(({ input }) => input))
  .flatMap((request) => [request, ...recordsOf(request)])
  .filter((schema) => compileCheck(schema) !== undefined);

const validator = createValidator({ registry: createRegistry(file_storefront_rule_v1_rule) });

/** Whether the contract has a rule for any of its members; times are checked without one. */
function isRuled(schema: DescMessage): boolean {
  return schema.fields.some(
    (field) =>
      hasOption(field, fieldOption) ||
      (field.message?.typeName.startsWith("storefront.") === true && isRuled(field.message)),
  );
}

describe("the check that is compiled from the contract's rules", () => {
  it.each(schemas)("finds the same faults as protovalidate, in $typeName", (schema) => {
    const check = compileCheck(schema);
    const verdicts = new Set<string>();
    for (const message of ruledMessages(schema, schemas.length)) {
      const { kind, violations = [], error } = validator.validate(schema, message);
      if (kind === "error") throw error;
      const theirs = new Set(violations.map(({ field }) => pathToString(field)));
      // Only storefront.rule.v1 limits how far a page may skip.
      const found = check?.(message) ?? [];
      const ours = found.filter(({ description }) => !description.startsWith("must not skip"));
      const fields = new Set(ours.map(({ field }) => field));
      // The elements of a list that is too long or too short are not checked.
      const beyond = [...theirs].filter(
        (field) => !fields.has(field) && !fields.has(field.replace(/\[\d+\].*$/u, "")),
      );
      expect(found.length < maxViolations ? beyond : []).toEqual([]);
      expect([...fields].filter((field) => !theirs.has(field))).toEqual([]);
      verdicts.add(kind);
    }
    // Both valid and invalid messages were checked.
    expect(verdicts).toEqual(new Set(isRuled(schema) ? ["valid", "invalid"] : ["valid"]));
  });
});
