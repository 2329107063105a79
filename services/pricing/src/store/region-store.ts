import { fromBinary } from "@bufbuild/protobuf";
import { PricingRegionSchema } from "@storefront/contracts/pricing/v1/pricing_region";
import type { PricingRegion } from "@storefront/contracts/pricing/v1/pricing_region";
import type { Queryable } from "@storefront/database";

/** All regions by id, as serialized PricingRegion messages. */
export async function listRegions(queryable: Queryable): Promise<Uint8Array[]> {
  const rows = await queryable.read<{ record: Uint8Array }>({
    name: "pricing.listRegions",
    text: "select record from pricing.region order by id",
  });
  return rows.map(({ record }) => record);
}

export async function readRegion(
  queryable: Queryable,
  id: string,
): Promise<PricingRegion | undefined> {
  const row = await queryable.readOne<{ record: Uint8Array }>(
    "select record from pricing.region where id = $1",
    [id],
  );
  return row && fromBinary(PricingRegionSchema, row.record);
}

export async function readRegionIds(queryable: Queryable): Promise<Set<string>> {
  const rows = await queryable.read<{ id: string }>({
    name: "pricing.regionIds",
    text: "select id from pricing.region",
  });
  return new Set(rows.map(({ id }) => id));
}

/** The region other than `id` that has one of these countries; the first by id. */
export async function regionOfAny(
  queryable: Queryable,
  id: string,
  countries: readonly string[],
): Promise<{ id: string; countries: string[] } | undefined> {
  return await queryable.readOne<{ id: string; countries: string[] }>(
    `select id, countries from pricing.region
      where id <> $1 and countries && $2::text[] order by id limit 1`,
    [id, countries],
  );
}

/** Number of current prices in a region. Reads the whole table of prices. */
export async function countPrices(queryable: Queryable, id: string): Promise<number> {
  const row = await queryable.readOne<{ prices: number }>(
    "select count(*)::int4 as prices from pricing.price where region = $1",
    [id],
  );
  return row?.prices ?? 0;
}
