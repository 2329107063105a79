import { serviceNames } from "@storefront/config";
import type { DescMessage } from "@bufbuild/protobuf";
import { identityOf } from "@storefront/ingest";
import { describe, expect, it } from "vitest";
import { catalogIngest } from "../src/import/catalog-ingest.ts";
import { changelogIngest } from "../src/import/changelog-ingest.ts";
import { kinds } from "../src/import/kinds.ts";
import { pricingIngest } from "../src/import/pricing-ingest.ts";
import { reviewsIngest } from "../src/import/reviews-ingest.ts";
import { searchIngest } from "../src/import/search-ingest.ts";

const ingestServices: readonly {
  name: string;
  kinds: Readonly<Record<string, { schema: DescMessage }>>;
}[] = [catalogIngest, pricingIngest, reviewsIngest, changelogIngest, searchIngest];

describe("the kinds of the import format", () => {
  it("are taken by the service that owns them, each of those that the stack runs", () => {
    const taken = ingestServices.flatMap(({ name, kinds: ofService }) =>
      Object.keys(ofService).map((kind) => [kind, name]),
    );
    const owned = Object.entries(kinds)
      .filter(([, { service }]) => serviceNames.some((name) => name === service))
      .map(([kind, { service }]) => [kind, service]);
    expect(new Set(taken.map(String))).toEqual(new Set(owned.map(String)));
  });

  it("have the identity that the contract says", () => {
    for (const { kinds: ofService } of ingestServices) {
      for (const [kind, { schema }] of Object.entries(ofService)) {
        const identity = Object.entries(kinds).find(([name]) => name === kind)?.[1].identity;
        expect([kind, identity]).toEqual([kind, identityOf(schema)]);
      }
    }
  });
});
