import type { Database } from "@storefront/database";
import { encodeCommitted } from "./encode-entry.ts";
import { maxBatchBytes, maxBatchEntries } from "./log-source.ts";
import type { LogSource } from "./log-source.ts";

// Entries of other kinds are passed over in stretches, so that one read never scans a whole log.
const maxScannedEntries = 10_000;

/** An entry where there is one; the other columns are the same in every row. */
interface Row {
  newest: bigint;
  scanned: bigint;
  chosen: number | null;
  seq: bigint | null;
  committed_at: Date;
  entry: Uint8Array;
}

/** The log that `appendToLog` writes: `<schema>.change_log`. */
export function changeLogSource(database: Database, schema: string): LogSource {
  const read = { name: `${schema}.feed.read`, text: readStatement(`${schema}.change_log`) };
  const newest = {
    name: `${schema}.feed.newest`,
    text: `select coalesce(max(seq), 0)::int8 as newest from ${schema}.change_log`,
  };
  const extent = {
    name: `${schema}.feed.extent`,
    text: `
      select coalesce(max(seq) - min(seq) + 1, 0)::int8 as length,
        (select committed_at from ${schema}.change_log order by seq limit 1) as oldest_at
      from ${schema}.change_log`,
  };
  // The log is never shortened, and no two were begun at one microsecond.
  const identity = {
    name: `${schema}.feed.identity`,
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
      const isWhole = present.length === (first.chosen ?? 0) && present.length < maxBatchEntries;
      return {
        entries: present.map(({ seq, committed_at, entry }) =>
          encodeCommitted(seq ?? 0n, committed_at, entry),
        ),
        through: isWhole ? first.scanned : (present.at(-1)?.seq ?? after),
        newest: first.newest,
      };
    },
    async newest() {
      return (await database.readOne<{ newest: bigint }>(newest))?.newest ?? 0n;
    },
    async extent() {
      const row = await database.readOne<{ length: bigint; oldest_at: Date | null }>(extent);
      return { length: row?.length ?? 0n, oldestAt: row?.oldest_at ?? undefined };
    },
    async identity() {
      return (await database.readOne<{ began: string }>(identity))?.began ?? "";
    },
  };
}

// One statement, so that the entries and the newest sequence are of one snapshot. The sum over a
// window keeps what is too much for one message from being read at all.
function readStatement(table: string): string {
  return `
    select bounds.newest, bounds.scanned, sized.chosen, sized.seq, sized.committed_at, sized.entry
    from (
      select
        (select coalesce(max(seq), 0)::int8 from ${table}) as newest,
        (select coalesce(max(seq), $1)::int8 from (
          select seq from ${table} where seq > $1 order by seq limit ${maxScannedEntries}
        ) as stretch) as scanned
    ) as bounds
    left join (
      select seq, committed_at, entry,
        count(*) over ()::int4 as chosen,
        row_number() over (order by seq) as place,
        sum(octet_length(entry)) over (order by seq) as size_bytes
      from (
        select seq, committed_at, entry from ${table}
        where seq > $1
          and seq <= (select max(seq) from (
            select seq from ${table} where seq > $1 order by seq limit ${maxScannedEntries}
          ) as stretch)
          and ($2::text[] is null or kind = any($2))
        order by seq limit ${maxBatchEntries}
      ) as candidates
    ) as sized on sized.place = 1 or sized.size_bytes <= ${maxBatchBytes}
    order by sized.seq`;
}
