import type { Queryable, Transaction } from "@storefront/database";

/** A part of a generation that is held in memory: its offers, or its prices by offer. */
export type WrittenPart = "offers" | "prices";

/** Forgets the writes to a generation. */
export async function forgetWrites(tx: Transaction, generation: number): Promise<void> {
  await tx.write("delete from search.index_write where generation = $1", [generation]);
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
 * @returns undefined when not all of that is remembered.
 */
export async function writtenSince(
  queryable: Queryable,
  { generation, part, table }: FollowedTable,
  known: bigint,
): Promise<{ version: bigint; numbers: number[] } | undefined> {
  const rows = await queryable.read<{ version: bigint; numbers: number[] }>(
    `select version, case when version > $2 then ${part} else '{}' end as numbers
      from search.index_write
      where generation = $1 and version >= $2
        and (select count(*) from (select from ${table} limit 1) as any_row) >= 0
      order by version`,
    [generation, known],
  );
  // Before the first write there is nothing to remember.
  if (rows.length === 0 && known === 0n) return { version: known, numbers: [] };
  if (rows[0]?.version !== known) return undefined;
  const numbers = new Set(rows.flatMap((row) => row.numbers));
  return { version: rows.at(-1)?.version ?? known, numbers: [...numbers] };
}
