import type { Queryable, Transaction } from "@storefront/database";

/** Days of partitions created ahead, in case no replica runs for a week. */
const daysAhead = 7;

/** A partition with only old entries. */
interface OldPartition {
  readonly name: string;
  /** The newest sequence in it; 0 when it is empty. */
  readonly newest: bigint;
  /** Whether its entries are past the grace period of followers. */
  readonly isPastGrace: boolean;
}

interface Extent {
  until: Date | null;
  now: Date;
}

interface Old {
  name: string;
  is_past_grace: boolean;
}

const dayMs = 86_400_000;

/**
 * The partitions of `<schema>.change_log`: one per day (UTC), the first for everything before, and
 * `change_log_other_days` for days without one. Each has its own primary key, since that of a partitioned
 * table would have to include the time.
 */
export class LogPartitions {
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  /** Creates the missing partitions of the coming days and returns their names. */
  async createAhead(tx: Transaction): Promise<string[]> {
    const extent = await tx.readOne<Extent>(
      `select max(until) as until, now() as now from (${this.#ranges()}) as ranges`,
    );
    if (extent === undefined) throw new TypeError("an aggregate always gives a row");
    const todayMs = Math.floor(extent.now.getTime() / dayMs) * dayMs;
    // Entries of today may already be in `change_log_other_days`, which would block a partition for today.
    const beginMs = Math.max(extent.until?.getTime() ?? 0, todayMs + dayMs);
    const created: string[] = [];
    for (let ms = beginMs; ms <= todayMs + daysAhead * dayMs; ms += dayMs) {
      const [from, until] = [ms, ms + dayMs].map((at) => new Date(at).toISOString());
      const name = `change_log_${from?.slice(0, 10).replaceAll("-", "")}`;
      await tx.script(`
        create table ${this.#schema}.${name} partition of ${this.#schema}.change_log
        (primary key (seq)) for values from ('${from}') to ('${until}')`);
      created.push(name);
    }
    return created;
  }

  /** Those that ended before the retention, oldest first. */
  async listOld(
    database: Queryable,
    retentionDays: number,
    graceDays: number,
  ): Promise<OldPartition[]> {
    const old = await database.read<Old>(
      `select name, until < now() - interval '24 hours' * ($1::int4 + $2::int4) as is_past_grace
      from (${this.#ranges()}) as ranges
      where until < now() - interval '24 hours' * $1::int4 order by until`,
      [retentionDays, graceDays],
    );
    const partitions: OldPartition[] = [];
    for (const { name, is_past_grace: isPastGrace } of old) {
      const row = await database.readOne<{ newest: bigint }>(
        `select coalesce(max(seq), 0)::int8 as newest from ${this.#schema}.${name}`,
      );
      partitions.push({ name, newest: row?.newest ?? 0n, isPastGrace });
    }
    return partitions;
  }

  /** Drops a partition; the log then starts after its newest entry. */
  async drop(tx: Transaction, name: string): Promise<void> {
    await tx.write(this.#beginAfter(`select * from ${this.#schema}.${name}`));
    await tx.script(`drop table ${this.#schema}.${name}`);
    // Days that ended before the start of the log.
    await tx.write(`
      delete from ${this.#schema}.log_day where first_sequence < (
        select max(first_sequence) from ${this.#schema}.log_day
        where first_sequence <= (select sequence from ${this.#schema}.log_start))`);
  }

  /**
   * Deletes entries of `change_log_other_days` older than the retention, but not those after `passed` within
   * the grace period.
   *
   * @returns the number of entries
   */
  async deleteOthers(
    tx: Transaction,
    retentionDays: number,
    graceDays: number,
    passed: bigint | undefined,
  ): Promise<number> {
    const old = `
      select * from ${this.#schema}.change_log_other_days
      where committed_at < now() - interval '24 hours' * $1::int4
        and ($3::int8 is null or seq <= $3
          or committed_at < now() - interval '24 hours' * ($1::int4 + $2::int4))`;
    const parameters = [retentionDays, graceDays, passed ?? null];
    await tx.write(this.#beginAfter(old), parameters);
    const { rowCount } = await tx.write(
      `delete from ${this.#schema}.change_log_other_days as others
      using (${old}) as old where others.seq = old.seq`,
      parameters,
    );
    return rowCount;
  }

  #beginAfter(entries: string): string {
    return `
      insert into ${this.#schema}.log_start (sequence, committed_at, began_at)
      select seq, committed_at,
        (select committed_at from ${this.#schema}.change_log order by seq limit 1)
      from (${entries}) as entries order by seq desc limit 1
      on conflict (only_row) do update
      set sequence = excluded.sequence, committed_at = excluded.committed_at
      where log_start.sequence < excluded.sequence`;
  }

  /** The partitions with an upper bound: `name` and `until`. */
  #ranges(): string {
    return `
      select name, bound::timestamptz as until from (
        select relname::text as name,
          substring(pg_get_expr(relpartbound, pg_class.oid) from $re$ TO \\('([^']+)'\\)$re$) as bound
        from pg_inherits join pg_class on pg_class.oid = inhrelid
        where inhparent = '${this.#schema}.change_log'::regclass
      ) as partitions where bound is not null`;
  }
}
