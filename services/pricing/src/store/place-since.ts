import type { Queryable } from "@storefront/database";

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
