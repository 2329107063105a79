import { regions } from "@storefront/regions";
import { operation } from "../../operation.ts";
import { zListRegionsInput, zListRegionsOutput } from "./list-regions.schema.ts";

export const listRegions = operation({
  method: "GET",
  path: "/regions",
  operationId: "listRegions",
  tag: "regions",
  summary: "List the pricing regions",
  description: "Every pricing region, its currency and its countries, ordered by code.",
  cost: 0,
  input: zListRegionsInput,
  output: zListRegionsOutput,
  resolve: () =>
    Promise.resolve(
      regions.map(({ region, currencyCode, countries }) => ({
        region,
        currencyCode,
        countries: [...countries],
      })),
    ),
});
