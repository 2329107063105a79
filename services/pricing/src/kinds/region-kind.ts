import { PricingRegionSchema } from "@storefront/contracts/pricing/v1/pricing_region";
import type { PricingRegion } from "@storefront/contracts/pricing/v1/pricing_region";
import type { Queryable } from "@storefront/database";
import type { RecordKind } from "@storefront/ingest";
import { invalidFields } from "@storefront/rpc";
import type { FieldViolation } from "@storefront/rpc";
import { countPrices, readRegion, regionOfAny } from "../store/region-store.ts";

/** Where price lists apply. */
export const regionKind: RecordKind<typeof PricingRegionSchema> = {
  name: "region",
  schema: PricingRegionSchema,
  table: "pricing.region",
  isConstraining: true,
  columns: [
    { name: "currency_code", type: "text", value: ({ currencyCode }) => currencyCode },
    { name: "countries", type: "text[]", value: ({ countries }) => countries },
  ],
  constraint: async (tx, writes) => {
    const faults = new Map<string, FieldViolation | undefined>();
    for (const { key, record } of writes) faults.set(idOf(key), await faultOf(tx, key, record));
    return { check: ({ key }) => faults.get(idOf(key)) };
  },
  onForgotten: async (tx, key) => {
    const description = await pricesFault(tx, idOf(key));
    if (description !== undefined) throw invalidFields([{ field: "key", description }]);
  },
};

function idOf([id = ""]: readonly string[]): string {
  return id;
}

/** @param record undefined for a deletion */
async function faultOf(
  queryable: Queryable,
  key: readonly string[],
  record: PricingRegion | undefined,
): Promise<FieldViolation | undefined> {
  const id = idOf(key);
  const stored = await readRegion(queryable, id);
  const member = record && stored && changedAmount(stored, record);
  if (stored !== undefined && (record === undefined || member !== undefined)) {
    const description = await pricesFault(queryable, id);
    if (description !== undefined) return { field: member ?? "", description };
  }
  return record && (await countryFault(queryable, record));
}

/** The changed member that would change the meaning of amounts in the region. */
function changedAmount(before: PricingRegion, after: PricingRegion): string | undefined {
  if (before.currencyCode !== after.currencyCode) return "currencyCode";
  return before.currencyDecimals === after.currencyDecimals ? undefined : "currencyDecimals";
}

async function pricesFault(queryable: Queryable, id: string): Promise<string | undefined> {
  const prices = await countPrices(queryable, id);
  return prices === 0
    ? undefined
    : `must stay while there are current prices in the region: ${id} has ${prices}`;
}

async function countryFault(
  queryable: Queryable,
  { id, countries }: PricingRegion,
): Promise<FieldViolation | undefined> {
  const other = await regionOfAny(queryable, id, countries);
  if (other === undefined) return undefined;
  const index = countries.findIndex((country) => other.countries.includes(country));
  const description = `must be in no other region: ${countries[index]} is in ${other.id}`;
  return { field: `countries[${index}]`, description };
}
