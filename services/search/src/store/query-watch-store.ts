import { pricesCursor } from "./price-store.ts";
import type { Database, Queryable, Transaction } from "@storefront/database";
import { membershipChanges } from "../domain/query-membership.ts";
import { everyGeneration } from "./outbox-store.ts";

/** A saved query that is followed in a region. */
export interface QueryWatch {
  readonly number: bigint;
  readonly beganAt: Date;
  /** Whether its first results are stored for comparison. */
  readonly isBegun: boolean;
}

/** A query to compare, claimed by a process. */
interface ClaimedWatch {
  readonly number: bigint;
  readonly queryId: string;
  readonly region: string;
  readonly claim: bigint;
  /** State of the index before the search. */
  readonly state: string;
}

/** When the next query is due; undefined until something changes. */
interface NextComparison {
  readonly isAnyFollowed: boolean;
  readonly dueInMs: number | undefined;
}

/** Maximum followed queries. */
export const maxWatches = 200;

/** Stored events per query: at least as many as one comparison may add. */
const maxEvents = 20_000;

const expiry = "interval '14 days'";
/** Interval of writes of the last use. */
const noteEvery = "interval '1 hour'";
/** Longer than a comparison takes. */
const claimFor = "interval '30 seconds'";
/** Interval of comparisons of a query that changes with time. */
const clockEvery = "interval '60 seconds'";
const retryAfter = "interval '5 seconds'";

/** Changes whenever search results may have changed, except by time. */
const indexState = `(
  select coalesce(string_agg(feed || ' ' || sequence, ', ' order by feed), '')
    || ' of ' || coalesce((select max(number) from search.generation where is_live), 0)
    || ' without ' || coalesce((select min(position) from search.outbox where generation = ${everyGeneration}), 0)
  from search.feed_cursor where feed in ('catalog', '${pricesCursor}', 'reviews')
)`;

const watchColumns = `number, began_at as "beganAt", offer_ids is not null as "isBegun"`;

/** Stores followed queries, their last results, and their events. */
export class QueryWatchStore {
  readonly #database: Database;
  readonly #restMs: number;

  /** @param restMs minimum time between two comparisons of a query; default 2,000 */
  constructor(database: Database, { restMs = 2_000 }: { restMs?: number } = {}) {
    this.#database = database;
    this.#restMs = restMs;
  }

  /** A followed query; records its use. */
  async find(queryId: string, region: string): Promise<QueryWatch | undefined> {
    const row = await this.#database.readOne<QueryWatch & { isNoted: boolean }>(
      {
        name: "search.findQueryWatch",
        text: `select ${watchColumns}, asked_at > clock_timestamp() - ${noteEvery} as "isNoted"
          from search.query_watch where query_id = $1 and region = $2`,
      },
      [queryId, region],
    );
    if (row?.isNoted === false) {
      await this.#database.write(
        "update search.query_watch set asked_at = clock_timestamp() where number = $1",
        [row.number],
      );
    }
    return row;
  }

  /** Starts to follow a query. Undefined when {@link maxWatches} are followed. */
  async add(
    queryId: string,
    region: string,
    { changesWithTime }: { changesWithTime: boolean },
  ): Promise<QueryWatch | undefined> {
    return await this.#database.transaction(async (tx) => {
      await tx.write("lock table search.query_watch in share row exclusive mode");
      await tx.write(
        `delete from search.query_watch where asked_at < clock_timestamp() - ${expiry}`,
      );
      await tx.write(
        `insert into search.query_watch (query_id, region, changes_with_time)
          select $1, $2, $3 where (select count(*) from search.query_watch) < ${maxWatches}
          on conflict (query_id, region) do nothing`,
        [queryId, region, changesWithTime],
      );
      return await tx.readOne<QueryWatch>(
        `select ${watchColumns} from search.query_watch where query_id = $1 and region = $2`,
        [queryId, region],
      );
    });
  }

  /** Searches reflect this state, or a later one. */
  async indexState(): Promise<string> {
    const row = await this.#database.readOne<{ state: string }>(`select ${indexState} as state`);
    return row?.state ?? "";
  }

  /** Stores the first results of a query, unless another process has. */
  async begin(number: bigint, state: string, offerIds: readonly string[]): Promise<void> {
    await this.#database.write(
      `update search.query_watch
        set offer_ids = $2, compared_state = $3, compared_at = clock_timestamp()
        where number = $1 and offer_ids is null`,
      [number, offerIds, state],
    );
  }

  /** Claims the due query that waited longest. */
  async claimDue(): Promise<ClaimedWatch | undefined> {
    const { rows } = await this.#database.write<ClaimedWatch>(
      `update search.query_watch as watch
        set claim = claim + 1, claimed_until = clock_timestamp() + ${claimFor}
        where number = (
          select number from search.query_watch
          where ${this.#dueAt} <= clock_timestamp()
          order by compared_at limit 1 for update skip locked
        )
        returning number, query_id as "queryId", region, claim, ${indexState} as state`,
    );
    return rows[0];
  }

  async next(): Promise<NextComparison> {
    const row = await this.#database.readOne<{ is_any: boolean; due_in_ms: number | null }>(
      `select count(*) > 0 as is_any,
          ceil(extract(epoch from min(${this.#dueAt}) - clock_timestamp()) * 1000)::float8 as due_in_ms
        from search.query_watch`,
    );
    const { is_any: isAnyFollowed = false, due_in_ms: dueInMs } = row ?? {};
    return { isAnyFollowed, dueInMs: dueInMs ?? undefined };
  }

  /**
   * Stores a query's results and events in one transaction.
   *
   * @returns the number of events; undefined when another process has claimed it, or it is not followed any more
   */
  async store(
    { number, claim, state }: ClaimedWatch,
    offerIds: readonly string[],
  ): Promise<number | undefined> {
    return await this.#database.transaction(async (tx) => {
      const row = await tx.readOne<{ before: string[] }>(
        `select offer_ids as before from search.query_watch
          where number = $1 and claim = $2 for update`,
        [number, claim],
      );
      if (row === undefined) return undefined;
      const count = await appendEvents(tx, number, row.before, offerIds);
      await tx.write(
        `update search.query_watch set compared_state = $2, compared_at = clock_timestamp(),
            claimed_until = '-infinity', offer_ids = case when $4 then $3 else offer_ids end
          where number = $1`,
        [number, state, count === 0 ? [] : offerIds, count > 0],
      );
      return count;
    });
  }

  /** Delays a query that could not be compared. */
  async postpone({ number, claim }: ClaimedWatch): Promise<void> {
    await this.#database.write(
      `update search.query_watch set claimed_until = clock_timestamp() + ${retryAfter}
        where number = $1 and claim = $2`,
      [number, claim],
    );
  }

  async remove(number: bigint): Promise<void> {
    await this.#database.write("delete from search.query_watch where number = $1", [number]);
  }

  /** Removes queries without use for 14 days: all at once, since there are few. */
  async prune(): Promise<boolean> {
    await this.#database.write(
      `delete from search.query_watch where asked_at < clock_timestamp() - ${expiry}`,
    );
    return false;
  }

  /** SQL: when a query is due, after its claim expires; null while nothing has changed. */
  get #dueAt(): string {
    const rest = `interval '${this.#restMs} milliseconds'`;
    return `case
      when offer_ids is null then null
      when compared_state is distinct from ${indexState} then greatest(claimed_until, compared_at + ${rest})
      when changes_with_time then greatest(claimed_until, compared_at + ${clockEvery})
    end`;
  }
}

/** Left offers first, each by id. */
async function appendEvents(
  tx: Transaction,
  watch: bigint,
  before: readonly string[],
  now: readonly string[],
): Promise<number> {
  const { left, entered } = membershipChanges(before, now);
  const count = left.length + entered.length;
  if (count === 0) return count;
  await tx.write(
    `insert into search.query_event (watch, offer_id, has_entered)
      select $1, offer_id, place > $3
      from unnest($2::text[]) with ordinality as changed (offer_id, place) order by place`,
    [watch, [...left, ...entered], left.length],
  );
  await pruneEvents(tx, watch);
  return count;
}

async function pruneEvents(queryable: Queryable, watch: bigint): Promise<void> {
  await queryable.write(
    `with last_pruned as (
        select sequence from search.query_event
        where watch = $1 order by sequence desc offset ${maxEvents} limit 1
      ),
      pruned as (
        delete from search.query_event
        where watch = $1 and sequence <= (select sequence from last_pruned)
      )
      update search.query_watch set pruned_through = last_pruned.sequence
      from last_pruned where number = $1`,
    [watch],
  );
}
