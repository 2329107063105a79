import type { Database } from "@storefront/database";
import { encodeCommitted } from "./encode-entry.ts";
import { beginningOfLog, identityOf, microsecondsSql } from "./log-position.ts";
import type { LogPosition } from "./log-position.ts";
import { maxBatchBytes, maxBatchEntries } from "./log-source.ts";
import type { LogSource } from "./log-source.ts";

// Entries of other kinds are passed over in stretches, so that one read never scans a whole log.
const maxScannedEntries = 5_000;

/** An entry where there is one; the other columns are the same in every row. */
interface Row {
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
  length: bigint;
  oldest: bigint;
  oldest_at: Date | null;
  size_bytes: bigint;
}

/** The log that `appendToLog` writes: `<schema>.change_log`. */
export function changeLogSource(database: Database, schema: string): LogSource {
  const read = {
    name: `${schema}.feed.read`,
    text: readStatement(`${schema}.change_log`),
    isPlannedEachTime: true,
  };
  const newest = {
    name: `${schema}.feed.newest`,
    text: `
      select seq, ${microsecondsSql("committed_at")} as committed_us
      from ${schema}.change_log order by seq desc limit 1`,
  };
  const extent = {
    name: `${schema}.feed.extent`,
    text: `
      select coalesce(max(seq) - min(seq) + 1, 0)::int8 as length,
        coalesce(min(seq), 0)::int8 as oldest,
        pg_total_relation_size('${schema}.change_log') as size_bytes,
        (select committed_at from ${schema}.change_log order by seq limit 1) as oldest_at
      from ${schema}.change_log`,
  };
  // The log is never shortened, and no two were begun at one microsecond.
  const id = {
    name: `${schema}.feed.id`,
    text: `
      select extract(epoch from committed_at)::text as began
      from ${schema}.change_log order by seq limit 1`,
  };
  return {
    async read(after, kinds) {
      const rows = await database.read<Row>(read, [after, kinds ?? null]);
      const present = rows.filter(({ seq }) => seq !== null);
      const [first] = rows;
      if (first === undefined) throw new TypeError("an aggregate always gives a row");
      const at = { sequence: after, identity: identityOf(first.at_us ?? undefined) };
      const last = present.at(-1);
      const isWhole = present.length === (first.chosen ?? 0) && present.length < maxBatchEntries;
      const through = isWhole
        ? positionOf(first.scanned, first.scanned_us)
        : positionOf(last?.seq, last?.committed_us);
      return {
        entries: present.map(({ seq, committed_us, entry }) =>
          encodeCommitted(seq ?? 0n, committed_us, entry),
        ),
        at,
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
        sizeBytes: row?.size_bytes ?? 0n,
      };
    },
    async id() {
      return (await database.readOne<{ began: string }>(id))?.began ?? "";
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

// One statement, so that the entries and what tells where they stand are of one snapshot. The sum
// over a window keeps what is too much for one message from being read at all.
function readStatement(table: string): string {
  const committedUs = microsecondsSql("committed_at");
  const lastScanned = `
    select seq, committed_at from ${table}
    where seq > $1 order by seq offset ${maxScannedEntries - 1} limit 1`;
  return `
    select at.committed_us as at_us,
      newest.seq as newest, newest.committed_us as newest_us,
      coalesce(scanned.seq, newest.seq) as scanned,
      coalesce(scanned.committed_us, newest.committed_us) as scanned_us,
      sized.chosen, sized.seq, sized.committed_us, sized.entry
    from (values (1)) as always
    left join (select ${committedUs} from ${table} where seq = $1) as at (committed_us) on true
    left join (
      select seq, ${committedUs} from ${table} order by seq desc limit 1
    ) as newest (seq, committed_us) on true
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
          select seq, kind, committed_at, entry from ${table}
          where seq > $1 order by seq limit ${maxScannedEntries}
        ) as stretch
        where $2::text[] is null or kind = any($2)
        order by seq limit ${maxBatchEntries}
      ) as candidates
    ) as sized on sized.place = 1 or sized.size_bytes <= ${maxBatchBytes}
    order by sized.seq`;
}
