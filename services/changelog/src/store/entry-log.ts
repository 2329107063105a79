import { maxBatchBytes, maxBatchEntries } from "@storefront/change-feed";
import type { LogExtent } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";
import type { Range } from "./entry-store.ts";

/** An entry with its place in the log. */
export interface LoggedEntry {
  readonly position: bigint;
  readonly id: string;
  readonly namespace: string;
  readonly observed_at: Date;
  readonly committed_at: Date;
  /** Serialized. */
  readonly entry: Uint8Array;
}

/** A stretch of the log. */
export interface LogStretch {
  readonly entries: readonly LoggedEntry[];
  /** Position of the last entry of the log when it was read; 0 when it is empty. */
  readonly newest: bigint;
}

const findPosition = {
  name: "changelog.findPosition",
  text: "select position from changelog.entry where id = $1",
};

const findStart = {
  name: "changelog.findStart",
  text: `
    select position from changelog.entry where latest_observed_at >= $1
    order by latest_observed_at, position limit 1`,
};

const findNewest = {
  name: "changelog.findNewest",
  text: "select coalesce(max(position), 0)::int8 as position from changelog.entry",
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
      (select committed_at from changelog.entry order by position limit 1) as oldest_at
    from changelog.entry`,
};

const listAfter = {
  name: "changelog.listAfter",
  text: "select entry from changelog.entry where position > $1 order by position limit $2 offset $3",
};

// The newest position is of the same snapshot. The sum keeps what is too much for one message unread.
const readStretch = {
  name: "changelog.readStretch",
  text: `
    select bounds.newest, sized.*
    from (select coalesce(max(position), 0)::int8 as newest from changelog.entry) as bounds
    left join (
      select *, row_number() over (order by position) as place,
        sum(octet_length(entry)) over (order by position) as size_bytes
      from (
        select position, id, namespace, observed_at, committed_at, entry
        from changelog.entry where position > $1 order by position limit ${maxBatchEntries}
      ) as candidates
    ) as sized on sized.place = 1 or sized.size_bytes <= ${maxBatchBytes}
    order by sized.position`,
};

/** The log of entries in the order of commit. */
export class EntryLog {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Place of an entry; undefined when it is unknown. */
  async positionOf(id: string): Promise<bigint | undefined> {
    return (await this.#database.readOne<{ position: bigint }>(findPosition, [id]))?.position;
  }

  /** Place before the first entry that was observed at or after this time. */
  async startOf(since: Date): Promise<bigint> {
    const first = await this.#database.readOne<{ position: bigint }>(findStart, [since]);
    return first === undefined ? await this.newest() : first.position - 1n;
  }

  /** Place of the last entry; 0 when there is none. */
  async newest(): Promise<bigint> {
    return (await this.#database.readOne<{ position: bigint }>(findNewest))?.position ?? 0n;
  }

  /** How much there is of the log. */
  async extent(): Promise<LogExtent> {
    const row = await this.#database.readOne<{ length: bigint; oldest_at: Date | null }>(
      findExtent,
    );
    return { length: row?.length ?? 0n, oldestAt: row?.oldest_at ?? undefined };
  }

  /** Tells this log from any other; empty while the log is. */
  async identity(): Promise<string> {
    return (await this.#database.readOne<{ began: string }>(findBeginning))?.began ?? "";
  }

  /** Serialized entries after a place. */
  async listAfter(position: bigint, { offset, pageSize }: Range): Promise<Uint8Array[]> {
    const rows = await this.#database.read<{ entry: Uint8Array }>(listAfter, [
      position,
      pageSize,
      offset,
    ]);
    return rows.map(({ entry }) => entry);
  }

  /** What follows a place, as much as fits into one message. */
  async read(after: bigint): Promise<LogStretch> {
    const rows = await this.#database.read<{ newest: bigint } & (LoggedEntry | { position: null })>(
      readStretch,
      [after],
    );
    return {
      newest: rows[0]?.newest ?? 0n,
      entries: rows.filter((row): row is typeof row & LoggedEntry => row.position !== null),
    };
  }
}
