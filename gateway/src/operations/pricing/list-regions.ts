import { regions } from "@storefront/regions";
import { z } from "zod";
import { operation } from "../operation.ts";

const zListRegionsOutput = z.array(
  z
    .object({
      region: z.string().meta({ description: "Code; not always a country's.", example: "EURO" }),
      currencyCode: z.string().meta({ description: "ISO 4217.", example: "EUR" }),
      countries: z
        .array(z.string())
        .meta({ description: "ISO 3166-1 alpha-2.", example: ["DE", "FR"] }),
    })
    .meta({ id: "Region", description: "Where one price list applies." }),
);

export const listRegions = operation({
  method: "GET",
  path: "/regions",
  operationId: "listRegions",
  tag: "regions",
  summary: "List the pricing regions",
  description: "Every pricing region, its currency and its countries, ordered by code.",
  cost: 0,
  input: z.object({}),
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
