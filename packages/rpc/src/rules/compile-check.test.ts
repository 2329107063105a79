import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  BatchGetOffersRequestSchema,
  ListSandboxOffersRequestSchema,
  ResolveSlugsRequestSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { IngestCatalogRequestSchema } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { SortDirection } from "@storefront/contracts/search/v1/offer_query";
import { ListEntriesSinceRequestSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { GetPriceRequestSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { SavedQuerySchema } from "@storefront/contracts/search/v1/search_ingest_service";
import { SearchOffersRequestSchema } from "@storefront/contracts/search/v1/search_service";
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

// test/rules-agree.test.ts compares the check of the contract's rules with protovalidate.
describe("the check of a request", () => {
  it("names every field at fault, in the order of the contract", () => {
    const request = create(GetPriceRequestSchema, { offerId: "a\nb", region: "us" });
    expect(violationsOf(GetPriceRequestSchema, request)).toEqual([
      { field: "offer_id", description: "must be 1 to 256 characters without control characters" },
      {
        field: "region",
        description: "must be a code of 1 to 16 capital letters and digits, such as US",
      },
    ]);
  });

  it("checks no element of a list that is too long or too short", () => {
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

  it("rejects negative pages and those over the limit, by the given size", () => {
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

  it("accepts instants of the years 1 to 9999", () => {
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

  it("descends into messages, and reports missing members", () => {
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

  it("does not check the observations of a batch", () => {
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
