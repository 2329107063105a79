import type { Database } from "@storefront/database";
import { encodeCommitted } from "./encode-entry.ts";
import { beginningOfLog, identityOf, microsecondsSql } from "./log-position.ts";
import type { LogPosition } from "./log-position.ts";
import { maxBatchBytes, maxBatchEntries } from "./log-source.ts";
import type { LogSource } from "./log-source.ts";

/** What was not asked for is passed over in stretches of so many entries, so that one read never scans a whole log. */
export const maxScannedEntries = 5_000;

/** An entry where there is one; the other columns are the same in every row. */
interface Row {
  start: bigint;
  at_us: bigint | null;
  newest: bigint | null;
  newest_us: bigint | null;
  scanned: bigint | null;
  scanned_us: bigint | null;
  chosen: number | null;
  seq: bigint | null;
  committed_us: bigint;
  entry: Uint8Array;
}

interface ExtentRow {
  start: bigint;
  length: bigint;
  oldest: bigint;
  oldest_at: Date | null;
  size_bytes: bigint;
}

/** The log that `appendToLog` writes: `<schema>.change_log`. */
export function changeLogSource(database: Database, schema: string): LogSource {
  const read = {
    name: `${schema}.feed.read`,
    text: readStatement(schema),
    isPlannedEachTime: true,
  };
  const newest = {
    name: `${schema}.feed.newest`,
    text: newestSql(schema),
  };
  const extent = {
    name: `${schema}.feed.extent`,
    text: `
      select coalesce(max(seq) - min(seq) + 1, 0)::int8 as length,
        coalesce(min(seq), 0)::int8 as oldest,
        coalesce((select sequence from ${schema}.log_start), 0) as start,
        (select sum(pg_total_relation_size(relid))::int8
          from pg_partition_tree('${schema}.change_log')) as size_bytes,
        (select committed_at from ${schema}.change_log order by seq limit 1) as oldest_at
      from ${schema}.change_log`,
  };
  // No two logs were begun at one microsecond. What the first entry says is kept when it goes.
  const id = {
    name: `${schema}.feed.id`,
    text: `
      select extract(epoch from coalesce(
        (select began_at from ${schema}.log_start),
        (select committed_at from ${schema}.change_log order by seq limit 1)
      ))::text as began`,
  };
  return {
    async read(after, filter, maxEntries = maxBatchEntries) {
      const rows = await database.read<Row>(read, [
        after,
        filter?.kinds ?? null,
        filter?.lastKeyMember ?? null,
        maxEntries,
      ]);
      const present = rows.filter(({ seq }) => seq !== null);
      const [first] = rows;
      if (first === undefined) throw new TypeError("an aggregate always gives a row");
      const at = { sequence: after, identity: identityOf(first.at_us ?? undefined) };
      const last = present.at(-1);
      const isWhole = present.length === (first.chosen ?? 0) && present.length < maxEntries;
      const through = isWhole
        ? positionOf(first.scanned, first.scanned_us)
        : positionOf(last?.seq, last?.committed_us);
      return {
        entries: present.map(({ seq, committed_us, entry }) =>
          encodeCommitted(seq ?? 0n, committed_us, entry),
        ),
        at,
        start: first.start,
        through: through ?? at,
        newest: positionOf(first.newest, first.newest_us) ?? beginningOfLog,
      };
    },
    async newest() {
      const row = await database.readOne<{ seq: bigint; committed_us: bigint }>(newest);
      return positionOf(row?.seq, row?.committed_us) ?? beginningOfLog;
    },
    async extent() {
      const row = await database.readOne<ExtentRow>(extent);
      return {
        length: row?.length ?? 0n,
        oldest: row?.oldest ?? 0n,
        oldestAt: row?.oldest_at ?? undefined,
        start: row?.start ?? 0n,
        sizeBytes: row?.size_bytes ?? 0n,
      };
    },
    async id() {
      return (await database.readOne<{ began: string | null }>(id))?.began ?? "";
    },
  };
}

function positionOf(
  sequence: bigint | null | undefined,
  committedUs: bigint | null | undefined,
): LogPosition | undefined {
  if (sequence === undefined || sequence === null) return undefined;
  return { sequence, identity: identityOf(committedUs ?? undefined) };
}

/** `seq` and `committed_us` of the newest entry, also when it is no longer kept. */
function newestSql(schema: string): string {
  return `
    select seq, ${microsecondsSql("committed_at")} as committed_us from (
      (select seq, committed_at from ${schema}.change_log order by seq desc limit 1)
      union all select sequence, committed_at from ${schema}.log_start
    ) as last order by seq desc limit 1`;
}

// One statement, so that the entries and what tells where they stand are of one snapshot. The sum
// over a window keeps what is too much for one message from being read at all.
function readStatement(schema: string): string {
  const table = `${schema}.change_log`;
  const committedUs = microsecondsSql("committed_at");
  const lastScanned = `
    select seq, committed_at from ${table}
    where seq > $1 order by seq offset ${maxScannedEntries - 1} limit 1`;
  return `
    select at.committed_us as at_us, coalesce(log_start.sequence, 0) as start,
      newest.seq as newest, newest.committed_us as newest_us,
      coalesce(scanned.seq, newest.seq) as scanned,
      coalesce(scanned.committed_us, newest.committed_us) as scanned_us,
      sized.chosen, sized.seq, sized.committed_us, sized.entry
    from (values (1)) as always
    left join ${schema}.log_start on true
    left join (
      select ${committedUs} from ${table} where seq = $1
      union all select ${committedUs} from ${schema}.log_start where sequence = $1
    ) as at (committed_us) on true
    left join (${newestSql(schema)}) as newest on true
    left join (
      select seq, ${committedUs} from (${lastScanned}) as stretch
    ) as scanned (seq, committed_us) on true
    left join (
      select seq, ${committedUs} as committed_us, entry,
        count(*) over ()::int4 as chosen,
        row_number() over (order by seq) as place,
        sum(octet_length(entry)) over (order by seq) as size_bytes
      from (
        select seq, committed_at, entry from (
          select seq, kind, key, committed_at, entry from ${table}
          where seq > $1 order by seq limit ${maxScannedEntries}
        ) as stretch
        where ($2::text[] is null or kind = any($2))
          and ($3::text is null or key[cardinality(key)] = $3)
        order by seq limit $4
      ) as candidates
    ) as sized on sized.place = 1 or sized.size_bytes <= ${maxBatchBytes}
    order by sized.seq`;
}
