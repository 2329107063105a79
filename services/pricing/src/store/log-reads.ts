import { encodeCommitted, maxScannedEntries, microsecondsSql } from "@storefront/change-feed";
import type { Database, Queryable } from "@storefront/database";
import type { Region } from "@storefront/domain/identifiers";

interface Row {
  /** Of the first entry of the stretch; null when there is none. */
  first: bigint | null;
  seq: bigint | null;
  committed_us: bigint;
  entry: Uint8Array;
}

/** The newest prices of a stretch of the log. */
interface NewestPrices {
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

interface Entry {
  seq: bigint;
  committed_at: Date;
}

const startSql = {
  name: "pricing.logStart",
  text: "select sequence as seq, committed_at from pricing.log_start",
};

const newestSql = {
  name: "pricing.newestLogged",
  text: "select seq, committed_at from pricing.change_log order by seq desc limit 1",
};

const nextSql = {
  name: "pricing.nextLogged",
  isPlannedEachTime: true,
  text: "select seq, committed_at from pricing.change_log where seq > $1 order by seq limit 1",
};

/**
 * The sequence after which the entries of the log begin that were not committed before a time, found by
 * halving: times rise with sequences, and only those have an index. 0 when the time is before the log.
 */
export async function placeSince(queryable: Queryable, since: Date): Promise<bigint> {
  const start = await queryable.readOne<Entry>(startSql);
  if (start !== undefined && start.committed_at >= since) return 0n;
  // Entries up to `low` were committed before the time, those after `high` were not.
  let low = start?.seq ?? 0n;
  let high = (await queryable.readOne<Entry>(newestSql))?.seq ?? low;
  while (low < high) {
    const middle = (low + high) / 2n;
    const next = await queryable.readOne<Entry>(nextSql, [middle]);
    if (next === undefined || next.committed_at >= since) high = middle;
    else low = next.seq;
  }
  return low;
}
