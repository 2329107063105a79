import { encodeCommitted, maxScannedEntries, microsecondsSql } from "@storefront/change-feed";
import type { Database } from "@storefront/database";
import type { Region } from "@storefront/identifiers";

interface Row {
  /** Of the first entry of the stretch; null when there is none. */
  first: bigint | null;
  seq: bigint | null;
  committed_us: bigint;
  entry: Uint8Array;
}

/** The newest prices of a stretch of the log. */
export interface NewestPrices {
  /** Serialized FeedEntry messages, newest first. */
  readonly entries: readonly Uint8Array[];
  /** All prices that are asked for and have this sequence or a greater one were given; 0 when there are no more. */
  readonly from: bigint;
}

// Along the primary keys of the log, from its end.
const readNewestPricesSql = {
  name: "pricing.readNewestPrices",
  isPlannedEachTime: true,
  text: `
    with stretch as materialized (
      select seq, kind, key, committed_at, entry from pricing.change_log
      where seq < $1 order by seq desc limit ${maxScannedEntries}
    )
    select scanned.first, found.* from (select min(seq) as first from stretch) as scanned
    left join (
      select seq, ${microsecondsSql("committed_at")} as committed_us, entry from stretch
      where kind = 'price' and ($2::text is null or key[2] = $2)
      order by seq desc limit $3
    ) as found on true
    order by found.seq desc`,
};

/** The newest writes of prices before a sequence, of one region or all; those of a bounded stretch of the log. */
export async function readNewestPrices(
  database: Database,
  { before, region, limit }: { before: bigint; region: Region | undefined; limit: number },
): Promise<NewestPrices> {
  const parameters = [before, region ?? null, limit];
  const rows = await database.read<Row>(readNewestPricesSql, parameters);
  const entries = rows.flatMap(({ seq, committed_us, entry }) =>
    seq === null ? [] : [encodeCommitted(seq, committed_us, entry)],
  );
  const last = entries.length === limit ? rows.at(-1)?.seq : rows[0]?.first;
  return { entries, from: last ?? 0n };
}
