import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  LowWindow,
  OfferQuerySchema,
  OfferSort,
} from "@storefront/contracts/search/v1/offer_query";
import { expect, it } from "vitest";
import { canonicalQuery } from "./canonical-query.ts";
import { changesWithTime } from "./query-membership.ts";

type Query = MessageInitShape<typeof OfferQuerySchema>;

it.each<[Query, boolean]>([
  [{ onSale: true, isLowestPrice: true, sort: OfferSort.GIVEAWAY_DATE }, false],
  [{ pastGiveaways: true }, true],
  [{ sort: OfferSort.UPCOMING }, true],
  [{ sort: OfferSort.LOWEST_FOR }, true],
  [{ lowestPriceOf: LowWindow.DAYS_30 }, true],
  [{ lowestPriceOf: LowWindow.EVER }, true],
])("knows whether time alone changes the results of %j: %s", (query, expected) => {
  expect(changesWithTime(canonicalQuery(create(OfferQuerySchema, query)))).toBe(expected);
});
