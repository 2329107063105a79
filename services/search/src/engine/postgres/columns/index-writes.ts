import type { Queryable, Transaction } from "@storefront/database";
import type { Region } from "@storefront/domain/identifiers";
import { packed, unpacked } from "../statement-values.ts";

/** Prices are shared by all generations; their writes are recorded under this number. */
export const priceGeneration = 0;

/**
 * Deletes the records of writes to a generation, and for release 0.2.0, which deletes none, to those that it has
 * dropped.
 */
export async function forgetWrites(tx: Transaction, generation: number): Promise<void> {
  await tx.write(
    `delete from search.index_write
      where generation = $1
        or generation <> $2 and to_regclass(format('search.g%s_offer', generation)) is null`,
    [generation, priceGeneration],
  );
}

// Writers take turns, so versions become visible in order.

/** The newest version of each generation; 0 before the first. */
export async function newestVersions(
  queryable: Queryable,
  generations: readonly number[],
): Promise<bigint[]> {
  const rows = await queryable.read<{ version: bigint }>(
    {
      name: "search.newestIndexVersions",
      text: `select coalesce(
          (select max(version) from search.index_write as noted where noted.generation = wanted.generation), 0
        ) as version
        from unnest($1::int[]) with ordinality as wanted(generation, place) order by place`,
      isPlannedEachTime: true,
    },
    [generations],
  );
  return rows.map(({ version }) => version);
}

/** Offers of a generation, or prices of a region, that are followed in memory. */
export interface FollowedTable {
  readonly table: string;
  readonly generation: number;
  /** Of prices. */
  readonly region?: Region | undefined;
}

const numbersOf = {
  offers: "offers",
  prices:
    "array(select number from unnest(prices, price_regions) as each(number, code) where code = $4)",
};

/**
 * Numbers of offers that were written since a version. Like a read of the table, fails when the generation is missing,
 * which the records of writes would not show.
 *
 * @param limit of returned numbers
 * @returns undefined when older records are deleted, or there are more than the limit
 */
export async function writtenSince(
  queryable: Queryable,
  { table, generation, region }: FollowedTable,
  known: bigint,
  limit: number,
): Promise<{ version: bigint; numbers: Int32Array } | undefined> {
  const written = region === undefined ? numbersOf.offers : numbersOf.prices;
  const row = await queryable.readOne<{
    oldest: bigint | null;
    newest: bigint | null;
    is_within: boolean;
    numbers: Buffer | null;
  }>(
    `with noted as materialized (
        select version, case when version > $2 then ${written} else '{}' end as numbers
        from search.index_write
        where generation = $1 and version >= $2
      ),
      noted_all as materialized (
        select min(version) as oldest, max(version) as newest,
          coalesce(sum(cardinality(numbers)), 0) <= $3 as is_within
        from noted
      )
      select oldest, newest, is_within, case when is_within then (
          select ${packed("number")} from (select distinct unnest(numbers) as number from noted) as each
        ) end as numbers
      from noted_all where (select count(*) from (select from ${table} limit 1) as any_row) >= 0`,
    [generation, known, limit, ...(region === undefined ? [] : [region])],
  );
  const { oldest = null, newest = null, is_within: isWithin = false, numbers } = row ?? {};
  // No writes yet.
  if (oldest === null && known === 0n) return { version: known, numbers: unpacked(null) };
  if (oldest !== known || !isWithin) return undefined;
  return { version: newest ?? known, numbers: unpacked(numbers) };
}
