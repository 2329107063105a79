import { createRegistry } from "@bufbuild/protobuf";
import type { DescMessage, DescService } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
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
import { describe, expect, it } from "vitest";
import { compileCheck } from "../src/rules/compile-check.ts";
import { ruledMessage } from "./support/ruled-messages.ts";

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
];

/** Messages in all; a release is held to 100,000. */
const messages = Number(process.env["TEST_RULE_MESSAGES"] ?? 3_000);
const seed = Number(process.env["TEST_RULE_SEED"] ?? 1);

/** Requests, and the records inside those that write. */
const schemas = services
  .flatMap(({ methods }) => methods.map(({ input }) => input))
  .flatMap((request) => [request, ...recordsOf(request)])
  .filter((schema) => compileCheck(schema) !== undefined);

/** What was made of the messages. */
const verdicts = new Set<string>();

const validator = createValidator({ registry: createRegistry(file_storefront_rule_v1_rule) });

function recordsOf(request: DescMessage): DescMessage[] {
  const observations = request.fields.filter(({ localName }) => localName === "observations");
  return observations.flatMap(({ message }) =>
    (message?.oneofs ?? []).flatMap(({ fields }) =>
      fields.flatMap(({ message: one }) => one ?? []),
    ),
  );
}

function randomFrom(start: number): () => number {
  let state = start >>> 0;
  // Mulberry32.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("the check that is compiled of the contract's rules", () => {
  it.each(schemas)("finds at fault what protovalidate finds, in $typeName", (schema) => {
    const check = compileCheck(schema);
    const random = randomFrom(seed);
    for (let count = 0; count < Math.ceil(messages / schemas.length); count++) {
      const message = ruledMessage(schema, random);
      const { kind, violations = [], error } = validator.validate(schema, message);
      if (kind === "error") throw error;
      const theirs = new Set(violations.map(({ field }) => pathToString(field)));
      // How far a page may lead is a rule of storefront.rule.v1 alone.
      const ours = (check?.(message) ?? []).filter(
        ({ description }) => !description.startsWith("must not skip"),
      );
      const fields = new Set(ours.map(({ field }) => field));
      // Of a list with too many elements, or too few, the elements are not looked at.
      const beyond = [...theirs].filter(
        (field) => !fields.has(field) && !fields.has(field.replace(/\[\d+\].*$/u, "")),
      );
      expect(beyond).toEqual([]);
      expect([...fields].filter((field) => !theirs.has(field))).toEqual([]);
      verdicts.add(kind);
    }
  });

  it("was asked about good messages and about bad ones", () => {
    expect(verdicts).toEqual(new Set(["valid", "invalid"]));
  });
});
