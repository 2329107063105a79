import {
  beginningOfLog,
  identityOf,
  maxBatchBytes,
  maxBatchEntries,
  microsecondsSql,
} from "@storefront/change-feed";
import type { LogExtent, LogPosition } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";
import { ownIdPattern } from "../domain/entry-id.ts";

/** An entry with its position in the log, or the position of its undo. */
export interface LoggedEntry {
  readonly position: bigint;
  readonly id: string;
  readonly namespace: string;
  readonly observed_at: Date;
  /** Microseconds since 1970. */
  readonly committed_us: bigint;
  /** Serialized; null for an undo. */
  readonly entry: Uint8Array | null;
  /** Of an undo, the position of its entry. */
  readonly entry_position: bigint | null;
  /** Members of its subject's identity, joined by line feeds; null for foreign entries and undos. */
  readonly subject_key: string | null;
}

export interface LogStretch {
  readonly entries: readonly LoggedEntry[];
  /** The position after which it begins. */
  readonly at: LogPosition;
  /** The last entry of the log when it was read. */
  readonly newest: LogPosition;
}

interface ExtentRow {
  length: bigint;
  oldest: bigint;
  oldest_at: Date | null;
  size_bytes: bigint;
}

interface PlaceRow {
  position: bigint;
  committed_us: bigint;
}

/** An entry where there is one; the other columns are the same in every row. */
type StretchRow = {
  at_us: bigint | null;
  newest: bigint | null;
  newest_us: bigint | null;
} & (LoggedEntry | { position: null });

// A foreign source identifies a record by its context id alone.
const isKnownByKey = `(is_restored or id ~ '${ownIdPattern}')`;

/** Everything that has a position in the log, as a table. */
const lines = `(
  select position, id, namespace, observed_at, committed_at, entry, null::int8 as entry_position,
    case when ${isKnownByKey} then subject end as subject
  from changelog.entry
  union all
  select position, id, namespace, observed_at, committed_at, null, entry_position, null
  from changelog.undone_entry
) as line`;

const findPosition = {
  name: "changelog.findPosition",
  text: `
    select position, ${microsecondsSql("committed_at")} as committed_us
    from changelog.entry where id = $1`,
};

const findUndone = {
  name: "changelog.findUndone",
  text: `
    select exists (select from changelog.undone_entry where id = $1)
      or exists (
        select from changelog.undone_entry where entry_position <= $2 and position > $2
      ) as is_undone`,
};

const findStart = {
  name: "changelog.findStart",
  text: `
    select position from changelog.entry where latest_observed_at >= $1
    order by latest_observed_at, position limit 1`,
};

const findNewest = {
  name: "changelog.findNewest",
  text: `
    select position, ${microsecondsSql("committed_at")} as committed_us
    from ${lines} order by position desc limit 1`,
};

// A reader cannot resume after an entry when one up to it was undone later.
const findResumable = {
  name: "changelog.findResumable",
  text: `
    select id, position, ${microsecondsSql("committed_at")} as committed_us
    from changelog.entry
    where not exists (
      select from changelog.undone_entry as undone
      where undone.entry_position <= entry.position and undone.position > entry.position
    )
    order by position desc limit 1`,
};

const findBeginning = {
  name: "changelog.findBeginning",
  text: `
    select extract(epoch from committed_at)::text as began
    from changelog.entry order by position limit 1`,
};

const findExtent = {
  name: "changelog.findExtent",
  text: `
    select coalesce(max(position) - min(position) + 1, 0)::int8 as length,
      coalesce(min(position), 0)::int8 as oldest,
      pg_total_relation_size('changelog.entry') as size_bytes,
      (select committed_at from changelog.entry order by position limit 1) as oldest_at
    from changelog.entry`,
};

const listAfter = {
  name: "changelog.listAfter",
  isPlannedEachTime: true,
  text: "select entry from changelog.entry where position > $1 order by position limit $2 offset $3",
};

// All parts see one snapshot. The sum limits the entries to one message; undos have no bytes.
const readStretch = {
  name: "changelog.readStretch",
  isPlannedEachTime: true,
  text: `
    select at.committed_us as at_us, newest.position as newest, newest.committed_us as newest_us,
      sized.*, coalesce(subject.full_key, subject.key) as subject_key
    from (values (1)) as always
    left join (
      select ${microsecondsSql("committed_at")} from ${lines} where position = $1
      union all
      select ${microsecondsSql("entry_committed_at")}
      from changelog.undone_entry where entry_position = $1
    ) as at (committed_us) on true
    left join (
      select position, ${microsecondsSql("committed_at")}
      from ${lines} order by position desc limit 1
    ) as newest (position, committed_us) on true
    left join (
      select position, id, namespace, observed_at, ${microsecondsSql("committed_at")} as committed_us,
        entry, entry_position, subject, row_number() over (order by position) as place,
        sum(coalesce(octet_length(entry), 0)) over (order by position) as size_bytes
      from (
        select * from ${lines} where position > $1 order by position limit ${maxBatchEntries}
      ) as candidates
    ) as sized on sized.place = 1 or sized.size_bytes <= ${maxBatchBytes}
    left join changelog.subject on subject.id = sized.subject
    order by sized.position`,
};

const listById = {
  name: "changelog.listById",
  text: `
    select page.*, coalesce(subject.full_key, subject.key) as subject_key
    from (
      select position, id, namespace, observed_at, ${microsecondsSql("committed_at")} as committed_us,
        entry, null::int8 as entry_position, case when ${isKnownByKey} then subject end as subject
      from changelog.entry where id > $1 order by id limit $2
    ) as page
    left join changelog.subject on subject.id = page.subject
    order by page.id`,
};

/** The log of entries in commit order. */
export class EntryLog {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Position of an entry; undefined when it is unknown. */
  async positionOf(id: string): Promise<LogPosition | undefined> {
    const row = await this.#database.readOne<PlaceRow>(findPosition, [id]);
    return row && placeOf(row);
  }

  /** Whether an entry with this id was undone. */
  async isUndone(id: string): Promise<boolean> {
    return await this.#isUndone(id, null);
  }

  /** Whether an entry up to this position was undone only after it. */
  async isUndoneAfter(position: bigint): Promise<boolean> {
    return await this.#isUndone(null, position);
  }

  async #isUndone(id: string | null, position: bigint | null): Promise<boolean> {
    const row = await this.#database.readOne<{ is_undone: boolean }>(findUndone, [id, position]);
    return row?.is_undone === true;
  }

  /** Position before the first entry that was observed at or after this time. */
  async startOf(since: Date): Promise<bigint> {
    const first = await this.#database.readOne<{ position: bigint }>(findStart, [since]);
    return first === undefined ? (await this.newest()).sequence : first.position - 1n;
  }

  /** Position of the last entry; the beginning when there is none. */
  async newest(): Promise<LogPosition> {
    const row = await this.#database.readOne<PlaceRow>(findNewest);
    return row === undefined ? beginningOfLog : placeOf(row);
  }

  /** The last entry that a reader can resume after; undefined when there is none. */
  async newestResumable(): Promise<{ id: string; position: LogPosition } | undefined> {
    const row = await this.#database.readOne<PlaceRow & { id: string }>(findResumable);
    return row && { id: row.id, position: placeOf(row) };
  }

  async extent(): Promise<LogExtent> {
    const row = await this.#database.readOne<ExtentRow>(findExtent);
    return {
      length: row?.length ?? 0n,
      oldest: row?.oldest ?? 0n,
      oldestAt: row?.oldest_at ?? undefined,
      start: 0n,
      sizeBytes: row?.size_bytes ?? 0n,
    };
  }

  /** Identifies this log; empty while the log is empty. */
  async logId(): Promise<string> {
    return (await this.#database.readOne<{ began: string }>(findBeginning))?.began ?? "";
  }

  /** Serialized entries after a position. */
  async listAfter(
    position: bigint,
    { offset, pageSize }: { offset: number; pageSize: number },
  ): Promise<Uint8Array[]> {
    const rows = await this.#database.read<{ entry: Uint8Array }>(listAfter, [
      position,
      pageSize,
      offset,
    ]);
    return rows.map(({ entry }) => entry);
  }

  /** Entries after an id, ascending. */
  async listById(after: string, limit: number): Promise<LoggedEntry[]> {
    return await this.#database.read<LoggedEntry>(listById, [after, limit]);
  }

  /** The entries after a position, as many as fit into one message. */
  async read(after: bigint): Promise<LogStretch> {
    const rows = await this.#database.read<StretchRow>(readStretch, [after]);
    const { at_us, newest, newest_us } = rows[0] ?? {};
    return {
      at: { sequence: after, identity: identityOf(at_us ?? undefined) },
      newest: { sequence: newest ?? 0n, identity: identityOf(newest_us ?? undefined) },
      entries: rows.filter((row): row is typeof row & LoggedEntry => row.position !== null),
    };
  }
}

function placeOf({ position, committed_us }: PlaceRow): LogPosition {
  return { sequence: position, identity: identityOf(committed_us) };
}
