import type { Database } from "@storefront/database";
import { lastDaySql, LogDayReader } from "./log-days.ts";
import type { LogEnd } from "./log-days.ts";
import { encodeCommitted } from "./log-entry.ts";
import {
  beginningOfLog,
  identityOf,
  maxBatchBytes,
  maxBatchEntries,
  microsecondsSql,
} from "./log-source.ts";
import type { LogPosition, LogSource } from "./log-source.ts";

/** Entries read at once when few match the filter, so that no read scans a whole log. */
export const maxScannedEntries = 5_000;

interface NewestRow extends LogEnd {
  newest_us: bigint | null;
}

/** An entry, if any; the other columns are the same in every row. */
interface Row extends NewestRow {
  start: bigint;
  at_us: bigint | null;
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
    text: newestStatement(schema),
    isPlannedEachTime: true,
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
  // No two logs begin at the same microsecond. `log_start` stores that time after the first entry is deleted.
  const id = {
    name: `${schema}.feed.id`,
    text: `
      select extract(epoch from coalesce(
        (select began_at from ${schema}.log_start),
        (select committed_at from ${schema}.change_log order by seq limit 1)
      ))::text as began`,
  };
  const days = new LogDayReader(database, schema);
  return {
    async read(after, filter, maxEntries = maxBatchEntries) {
      const rows = await days.read(
        (known) =>
          database.read<Row>(read, [
            ...known.ofNewest,
            ...known.after(after, maxScannedEntries),
            after,
            filter?.kinds ?? null,
            filter?.lastKeyMember ?? null,
            maxEntries,
          ]),
        (row) => row.scanned !== null || (row.newest ?? 0n) <= after,
      );
      const [first] = rows;
      const present = rows.filter(({ seq }) => seq !== null);
      const end = positionOf(first.newest, first.newest_us);
      const at = { sequence: after, identity: identityOf(first.at_us ?? undefined) };
      const last = present.at(-1);
      const isWhole = present.length === (first.chosen ?? 0) && present.length < maxEntries;
      const through = isWhole
        ? (positionOf(first.scanned, first.scanned_us) ?? end)
        : positionOf(last?.seq, last?.committed_us);
      return {
        entries: present.map(({ seq, committed_us, entry }) =>
          encodeCommitted(seq ?? 0n, committed_us, entry),
        ),
        at,
        start: first.start,
        through: through ?? at,
        newest: end ?? beginningOfLog,
      };
    },
    async newest() {
      const [row] = await days.read(
        (known) => database.read<NewestRow>(newest, known.ofNewest),
        () => true,
      );
      return positionOf(row.newest, row.newest_us) ?? beginningOfLog;
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

/** The last day and the newest entry, even a deleted one. $1 and $2 bound its days. */
function newestSql(schema: string): string {
  return `
    (values (1)) as always
    left join (${lastDaySql(schema)}) as last_day on true
    left join (
      select seq as newest, ${microsecondsSql("committed_at")} as newest_us from (
        (select seq, committed_at from ${schema}.change_log
          where committed_at >= $1 and committed_at < $2 order by seq desc limit 1)
        union all select sequence, committed_at from ${schema}.log_start
      ) as last order by seq desc limit 1
    ) as newest on true`;
}

// Planned each time, so that partitions of other days are excluded before they are opened and locked.
function newestStatement(schema: string): string {
  return `select last_first, last_day, newest, newest_us from ${newestSql(schema)}`;
}

// One statement, so that entries and positions are of one snapshot. The window sum avoids reading entries
// beyond the size of a message.
function readStatement(schema: string): string {
  const committedUs = microsecondsSql("committed_at");
  const entriesOfDays = `${schema}.change_log where committed_at >= $3 and committed_at < $4`;
  const stretch = `${entriesOfDays} and seq > $6 and seq < $5 order by seq limit ${maxScannedEntries}`;
  return `
    select last_first, last_day, newest, newest_us,
      at.committed_us as at_us, coalesce(log_start.sequence, 0) as start,
      scanned.seq as scanned, scanned.committed_us as scanned_us,
      sized.chosen, sized.seq, sized.committed_us, sized.entry
    from ${newestSql(schema)}
    left join ${schema}.log_start on true
    left join (
      select ${committedUs} from ${entriesOfDays} and seq = $6
      union all select ${committedUs} from ${schema}.log_start where sequence = $6
    ) as at (committed_us) on true
    left join (
      select seq, ${committedUs} as committed_us
      from (select seq, committed_at from ${stretch}) as stretch order by seq desc limit 1
    ) as scanned on true
    left join (
      select seq, ${committedUs} as committed_us, entry,
        count(*) over ()::int4 as chosen,
        row_number() over (order by seq) as place,
        sum(octet_length(entry)) over (order by seq) as size_bytes
      from (
        select seq, committed_at, entry
        from (select seq, kind, key, committed_at, entry from ${stretch}) as stretch
        where ($7::text[] is null or kind = any($7))
          and ($8::text is null or key[cardinality(key)] = $8)
        order by seq limit $9
      ) as candidates
    ) as sized on sized.place = 1 or sized.size_bytes <= ${maxBatchBytes}
    order by sized.seq`;
}
