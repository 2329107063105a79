import { identityOf, maxBatchEntries, microsecondsSql } from "@storefront/change-feed";
import type { LogBatch, LogPosition } from "@storefront/change-feed";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { QueryEventSchema, QueryEventType } from "@storefront/contracts/search/v1/search_service";
import type { QueryEvent } from "@storefront/contracts/search/v1/search_service";
import type { Queryable } from "@storefront/database";

interface EventRow {
  readonly sequence: bigint;
  readonly noted_us: bigint;
  readonly offer_id: string;
  readonly has_entered: boolean;
}

/** Above any sequence. */
const noEvent = 2n ** 63n - 1n;

/** An event, if any; the other columns are the same in every row. */
type StretchRow = {
  start: bigint;
  began_us: bigint;
  at_us: bigint | null;
  newest: bigint | null;
  newest_us: bigint | null;
} & (EventRow | { sequence: null });

const eventColumns = `sequence, ${microsecondsSql("noted_at")} as noted_us, offer_id, has_entered`;

// One statement, for one snapshot.
const readStretch = {
  name: "search.readQueryEvents",
  isPlannedEachTime: true,
  text: `
    select case when pruned_through = 0 then 0 else pruned_through + 1 end as start,
      ${microsecondsSql("began_at")} as began_us, at.us as at_us,
      newest.sequence as newest, newest.us as newest_us, event.*
    from search.query_watch
    left join lateral (
      select ${microsecondsSql("noted_at")} as us
      from search.query_event where watch = number and sequence = $2
    ) as at on true
    left join lateral (
      select sequence, ${microsecondsSql("noted_at")} as us
      from search.query_event where watch = number order by sequence desc limit 1
    ) as newest on true
    left join lateral (
      select ${eventColumns} from search.query_event
      where watch = number and sequence > $2 order by sequence limit ${maxBatchEntries}
    ) as event on true
    where number = $1
    order by event.sequence`,
};

/**
 * Events of followed queries: offers that entered and left. Each query has its own log, whose beginning has sequence 0
 * and the time of its first follow as identity.
 */
export class QueryEventStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Newest first. */
  async list(watch: bigint, limit: number): Promise<QueryEvent[]> {
    const rows = await this.#database.read<EventRow>(
      {
        name: "search.listQueryEvents",
        isPlannedEachTime: true,
        text: `select ${eventColumns} from search.query_event
          where watch = $1 order by sequence desc limit $2`,
      },
      [watch, limit],
    );
    return rows.map(eventOf);
  }

  /** Position of the newest event, or of the beginning. */
  async newest(watch: bigint): Promise<LogPosition> {
    return (await this.read(watch, noEvent)).newest;
  }

  /** Events after a sequence; for a query that is not followed, as of a lost log. */
  async read(watch: bigint, after: bigint): Promise<LogBatch> {
    const rows = await this.#database.read<StretchRow>(readStretch, [watch, after]);
    const {
      start = 0n,
      began_us: beganUs,
      at_us: atUs,
      newest,
      newest_us: newestUs,
    } = rows[0] ?? {};
    const beginning = { sequence: 0n, identity: identityOf(beganUs) };
    const at =
      after === 0n ? beginning : { sequence: after, identity: identityOf(atUs ?? undefined) };
    const events = rows.filter((row): row is typeof row & EventRow => row.sequence !== null);
    const last = events.at(-1);
    return {
      entries: events.map((event) => toBinary(QueryEventSchema, eventOf(event))),
      at,
      start,
      through: last === undefined ? at : positionOf(last),
      newest:
        newest === undefined || newest === null
          ? beginning
          : { sequence: newest, identity: identityOf(newestUs ?? undefined) },
    };
  }
}

/** Id of an event or a position. */
export function eventId({ sequence, identity }: LogPosition): string {
  return `${sequence.toString(36)}-${identity}`;
}

/** The position of an id; undefined for an id of another form. */
export function positionOfEvent(id: string): LogPosition | undefined {
  const [, digits = "", identity = ""] = /^([0-9a-z]{1,12})-([0-9a-z]{1,13})$/.exec(id) ?? [];
  if (digits === "") return undefined;
  const sequence = Array.from(digits).reduce(
    (sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)),
    0n,
  );
  return { sequence, identity };
}

function eventOf(row: EventRow): QueryEvent {
  return create(QueryEventSchema, {
    id: eventId(positionOf(row)),
    offerId: row.offer_id,
    type: row.has_entered ? QueryEventType.ENTERED : QueryEventType.LEFT,
    time: timestampFromMs(Number(row.noted_us / 1_000n)),
  });
}

function positionOf({ sequence, noted_us: notedUs }: EventRow): LogPosition {
  return { sequence, identity: identityOf(notedUs) };
}
