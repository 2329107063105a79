import { create } from "@bufbuild/protobuf";
import type { DescMethod, MessageInitShape } from "@bufbuild/protobuf";
import {
  CatalogService,
  BatchGetOffersRequestSchema,
  ListSandboxOffersRequestSchema,
  ResolveSlugsRequestSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { IngestCatalogRequestSchema } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { SortDirection } from "@storefront/contracts/search/v1/offer_query";
import { OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import {
  ChangelogService,
  ListEntriesRequestSchema,
  ListEntriesSinceRequestSchema,
} from "@storefront/contracts/changelog/v1/changelog_service";
import type { ListEntriesRequest } from "@storefront/contracts/changelog/v1/changelog_service";
import {
  GetPriceRequestSchema,
  PricingService,
} from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SavedQuerySchema } from "@storefront/contracts/search/v1/search_ingest_service";
import {
  SearchOffersByMeaningRequestSchema,
  SearchOffersRequestSchema,
  SearchService,
} from "@storefront/contracts/search/v1/search_service";
import { describe, expect, it } from "vitest";
import { violationsOf } from "./compile-check.ts";

type List = MessageInitShape<typeof ListSandboxOffersRequestSchema>;

function listFaults(members: List): string[] {
  const request = create(ListSandboxOffersRequestSchema, { sandboxId: "s", ...members });
  return violationsOf(ListSandboxOffersRequestSchema, request).map(({ field }) => field);
}

function batchFaults(offerIds: string[]): string[] {
  const request = create(BatchGetOffersRequestSchema, { offerIds });
  return violationsOf(BatchGetOffersRequestSchema, request).map(({ field }) => field);
}

const { method: catalog } = CatalogService;
const { method: changelog } = ChangelogService;
const { method: pricing } = PricingService;
const { method: reviews } = ReviewsService;
const { method: searching } = SearchService;
const over = (most: number) => Array.from({ length: most + 1 }, String);
const tooMany = over(1_000);
const context = (contextId: string) => ({ contextType: "offer", contextId });
const never = { seconds: 2n ** 62n };

describe("the check of a request", () => {
  it("names every field at fault, in the order of the contract", () => {
    const request = create(GetPriceRequestSchema, { offerId: "a\nb", region: "us" });
    expect(violationsOf(GetPriceRequestSchema, request)).toEqual([
      { field: "offer_id", description: "must be 1 to 256 characters without control characters" },
      { field: "region", description: "must be one of the pricing regions, such as US" },
    ]);
  });

  it("counts identifiers in code points and allows no control characters", () => {
    const good = ["😀".repeat(256), "x".repeat(256), "a b/ü\u202e"];
    const bad = ["", "x".repeat(257), "😀".repeat(257), "a\0b", "a\u007fb", "a\u0085b"];
    expect(batchFaults(good)).toEqual([]);
    expect(batchFaults(bad)).toEqual(bad.map((_, index) => `offer_ids[${index}]`));
  });

  it("looks at no element of a list that is too long, and at none too few", () => {
    expect(batchFaults([])).toEqual([]);
    expect(batchFaults(Array.from({ length: 1_000 }, () => "a"))).toEqual([]);
    expect(batchFaults(Array.from({ length: 1_001 }, () => ""))).toEqual(["offer_ids"]);
    const slugs = (...texts: string[]) =>
      violationsOf(ResolveSlugsRequestSchema, create(ResolveSlugsRequestSchema, { slugs: texts }));
    expect(slugs()).toEqual([{ field: "slugs", description: "must have 1 to 1000 elements" }]);
    expect(slugs("", "😀".repeat(512), "x".repeat(513))).toEqual([
      { field: "slugs[2]", description: "must be at most 512 characters" },
    ]);
  });

  it("names the first 100 faults of a request that has more", () => {
    expect(batchFaults(Array.from({ length: 1_000 }, () => ""))).toEqual(
      Array.from({ length: 100 }, (_, index) => `offer_ids[${index}]`),
    );
  });

  it("bounds how many counts a search asks for", () => {
    const faultsOf = (count: number) => {
      const aggregations = Array.from({ length: count }, () => OfferAggregation.TAGS);
      const search = create(SearchOffersRequestSchema, { region: "US", aggregations });
      const byMeaning = create(SearchOffersByMeaningRequestSchema, { text: "a", aggregations });
      return [
        ...violationsOf(SearchOffersRequestSchema, search),
        ...violationsOf(SearchOffersByMeaningRequestSchema, byMeaning),
      ];
    };
    const fault = { field: "aggregations", description: "must have at most 64 elements" };
    expect(faultsOf(64)).toEqual([]);
    expect(faultsOf(65)).toEqual([fault, fault]);
  });

  it("takes an empty text for one that is not given where the contract says so", () => {
    expect(listFaults({ locale: "" })).toEqual([]);
    expect(listFaults({ locale: "\n" })).toEqual(["locale"]);
    expect(listFaults({ sandboxId: "" })).toEqual(["sandbox_id"]);
  });

  it("allows what the database stores in a filter, so no NUL", () => {
    expect(listFaults({ offerTypes: ["", "\n"], title: "\n" })).toEqual([]);
    expect(listFaults({ offerTypes: ["a", "\0"], title: "\0" })).toEqual([
      "offer_types[1]",
      "title",
    ]);
  });

  it("refuses negative pages and those too far away, by the size that is given", () => {
    expect(listFaults({ page: 1_001, pageSize: 1_000 })).toEqual([]);
    expect(listFaults({ page: 1_002, pageSize: 1_000 })).toEqual(["page"]);
    expect(listFaults({ page: 10_001 })).toEqual([]);
    expect(listFaults({ page: 10_002 })).toEqual(["page"]);
    expect(listFaults({ page: -1, pageSize: -1 })).toEqual(["page", "page_size"]);
    const search = create(SearchOffersRequestSchema, { region: "US", page: 102, pageSize: 100 });
    expect(violationsOf(SearchOffersRequestSchema, search)).toEqual([
      { field: "page", description: "must not skip more than 10000 elements" },
    ]);
  });

  it("looks at the member of a oneof that is there, empty or not", () => {
    const faultsOf = (scope: ListEntriesRequest["scope"]) =>
      violationsOf(ListEntriesRequestSchema, create(ListEntriesRequestSchema, { scope })).map(
        ({ field }) => field,
      );
    expect(faultsOf({ case: undefined })).toEqual([]);
    expect(faultsOf({ case: "itemId", value: "i" })).toEqual([]);
    expect(faultsOf({ case: "itemId", value: "" })).toEqual(["item_id"]);
  });

  it("takes instants of the years 1 to 9999", () => {
    const faultsOf = (seconds: bigint, nanos: number) =>
      violationsOf(
        ListEntriesSinceRequestSchema,
        create(ListEntriesSinceRequestSchema, {
          start: { case: "since", value: { seconds, nanos } },
        }),
      ).map(({ field }) => field);
    expect(faultsOf(-62_135_596_800n, 0)).toEqual([]);
    expect(faultsOf(253_402_300_799n, 999_999_999)).toEqual([]);
    expect(faultsOf(253_402_300_800n, 0)).toEqual(["since"]);
    expect(faultsOf(0n, -1)).toEqual(["since"]);
  });

  it("descends into messages, and says what is missing", () => {
    const id = "0".repeat(32);
    const faultsOf = (init: MessageInitShape<typeof SavedQuerySchema>) =>
      violationsOf(SavedQuerySchema, create(SavedQuerySchema, init));
    expect(faultsOf({ id, query: {} })).toEqual([]);
    expect(faultsOf({ id })).toEqual([{ field: "query", description: "is required" }]);
    expect(
      faultsOf({ id: "A", query: { tagIds: ["a", "\0"], direction: 99 as SortDirection } }),
    ).toEqual([
      { field: "id", description: "must be 32 hexadecimal digits" },
      { field: "query.tag_ids[1]", description: "must not contain NUL" },
      { field: "query.direction", description: "must be a known value" },
    ]);
  });

  it("takes for blank what JavaScript trims", () => {
    const blanks = "\t\n\v\f\r \u00a0\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeff";
    expect(blanks.trim()).toBe("");
    const faultsOf = (text: string) => {
      const request = create(SearchOffersByMeaningRequestSchema, { text });
      return violationsOf(SearchOffersByMeaningRequestSchema, request);
    };
    expect(faultsOf(blanks)).toEqual([{ field: "text", description: "must not be blank" }]);
    expect(faultsOf(`${blanks}a`)).toEqual([]);
    expect(faultsOf("\u200b")).toEqual([]);
  });

  it.each<[DescMethod, Record<string, unknown>, string[]]>([
    [catalog.checkOffersExist, { offerIds: tooMany }, ["offer_ids"]],
    [catalog.resolveSlugs, { slugs: tooMany }, ["slugs"]],
    [catalog.resolveSlugs, { slugs: ["ok", "a\0"] }, ["slugs[1]"]],
    [catalog.batchGetChangeContexts, { refs: tooMany.map(context) }, ["refs"]],
    [catalog.batchGetChangeContexts, { refs: [context("a\0")] }, ["refs[0].context_id"]],
    [catalog.listSandboxOffers, { sandboxId: "s", offerTypes: over(100) }, ["offer_types"]],
    [catalog.listSandboxAssets, { sandboxId: "s", page: -1, pageSize: -1 }, ["page", "page_size"]],
    [catalog.listSandboxAssets, { sandboxId: "s", platforms: ["a\0"] }, ["platforms[0]"]],
    [pricing.batchGetPrices, { offerIds: tooMany, region: "US" }, ["offer_ids"]],
    [pricing.listOfferPrices, { offerId: "" }, ["offer_id"]],
    [pricing.listDiscountedPrices, { offerIds: [], region: "US", pageSize: -1 }, ["page_size"]],
    [pricing.listPriceHistory, { offerId: "a", region: "US", page: 202, pageSize: 500 }, ["page"]],
    [pricing.listCurrentGiveaways, { platforms: [] }, ["platforms"]],
    [pricing.listCurrentGiveaways, { platforms: ["ios"], at: never }, ["at"]],
    [pricing.listGivenAwayOffers, { at: never }, ["at"]],
    [reviews.listReviews, { offerId: "", page: -1 }, ["offer_id", "page"]],
    [reviews.listReviews, { offerId: "o", page: 100_001, pageSize: 25 }, ["page"]],
    [changelog.listEntries, { page: -1, pageSize: -1 }, ["page", "page_size"]],
    [changelog.listEntries, { page: 100_002, pageSize: 1 }, ["page"]],
    [changelog.listEntries, { contextType: "x".repeat(257) }, ["context_type"]],
    [changelog.listEntries, { contextId: "a\0b" }, ["context_id"]],
    [
      changelog.listEntriesSince,
      { start: { case: "afterEntryId", value: "" } },
      ["after_entry_id"],
    ],
    [searching.searchOffers, { region: "US", query: { title: "x".repeat(513) } }, ["query.title"]],
    [searching.searchEntries, { text: "x".repeat(513) }, ["text"]],
    [searching.saveQuery, { query: { title: "\0" } }, ["query.title"]],
  ])("names what is wrong with $0.name: %j", ({ input }, init, fields) => {
    const found = violationsOf(input, create(input, init)).map(({ field }) => field);
    expect(new Set(found)).toEqual(new Set(fields));
  });

  it("leaves each observation of a batch to be judged by itself", () => {
    const faultsOf = (count: number) =>
      violationsOf(
        IngestCatalogRequestSchema,
        create(IngestCatalogRequestSchema, {
          observations: Array.from({ length: count }, () => ({
            record: { case: "offer" as const, value: { id: "" } },
          })),
        }),
      );
    expect(faultsOf(1_000)).toEqual([]);
    expect(faultsOf(0)).toEqual([
      { field: "observations", description: "must have 1 to 1000 elements" },
    ]);
    expect(faultsOf(1_001)).toHaveLength(1);
  });
});
