import { expect, it } from "vitest";
import { defaultRegion } from "@storefront/domain/regions";
import { generateDocuments, nowMs } from "../../test/support/generated-documents.ts";
import { Model } from "../../test/support/model.ts";
import { aggregationNames } from "./offer-terms.ts";
import { countOffers } from "./count-offers.ts";
import { everything } from "./offer-filter.ts";

it("counts like every engine, and only the requested aggregations", () => {
  const documents = generateDocuments(300, 7);
  const inRegion = documents.prices.flatMap(({ prices }) =>
    prices
      .filter(({ region }) => region === defaultRegion)
      .map(({ discountPrice }) => discountPrice),
  );
  const { aggregations } = new Model(documents).search({
    filter: everything,
    region: defaultRegion,
    nowMs,
    order: { key: "price", isAscending: true },
    offset: 0,
    limit: 0,
    aggregations: aggregationNames,
  });
  const count = (requested = aggregationNames) =>
    countOffers(documents.offers, inRegion, requested);
  expect(count()).toEqual(aggregations);
  expect(count(["tags"])).toEqual({ tags: aggregations.tags });
  expect(countOffers([], [], ["sellers", "prices"])).toEqual({ sellers: [], prices: { count: 0 } });
});
