import type { Queryable, Transaction } from "@storefront/database";
import { packed, unpacked } from "../packed-integers.ts";

/** A part of a generation that is held in memory: its offers, or its prices by offer. */
export type WrittenPart = "offers" | "prices";

/** Forgets the writes to a generation, and to those that an older release has dropped, which forgets none. */
export async function forgetWrites(tx: Transaction, generation: number): Promise<void> {
  await tx.write(
    `delete from search.index_write
      where generation = $1 or to_regclass(format('search.g%s_offer', generation)) is null`,
    [generation],
  );
}

// Writers take turns, so versions become visible in their order.

/** The newest version of a generation; 0 before the first. */
export async function newestVersion(queryable: Queryable, generation: number): Promise<bigint> {
  const row = await queryable.readOne<{ version: bigint }>(
    {
      name: "search.newestIndexVersion",
      text: `select coalesce(max(version), 0) as version from search.index_write
        where generation = $1`,
      isPlannedEachTime: true,
    },
    [generation],
  );
  return row?.version ?? 0n;
}

/** A part of a generation that somebody follows. */
export interface FollowedTable {
  readonly generation: number;
  readonly part: WrittenPart;
  readonly table: string;
}

/**
 * What was written to a generation since a version. Fails, as reading the table does, when the
 * generation is gone: who only follows writes would never know.
 *
 * @param limit what is more than this stays in the database
 * @returns undefined when not all of that is remembered, or it is more than the limit.
 */
export async function writtenSince(
  queryable: Queryable,
  { generation, part, table }: FollowedTable,
  known: bigint,
  limit: number,
): Promise<{ version: bigint; numbers: Int32Array } | undefined> {
  const row = await queryable.readOne<{
    oldest: bigint | null;
    newest: bigint | null;
    is_within: boolean;
    numbers: Buffer | null;
  }>(
    `with noted as materialized (
        select version, case when version > $2 then ${part} else '{}' end as numbers
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
    [generation, known, limit],
  );
  const { oldest = null, newest = null, is_within: isWithin = false, numbers } = row ?? {};
  // Before the first write there is nothing to remember.
  if (oldest === null && known === 0n) return { version: known, numbers: unpacked(null) };
  if (oldest !== known || !isWithin) return undefined;
  return { version: newest ?? known, numbers: unpacked(numbers) };
}
