import type { Queryable, Transaction } from "@storefront/database";

/** Days for which there are partitions ahead: a week without any replica leaves no write without one. */
const daysAhead = 7;

/** A partition whose entries are all older than something. */
export interface OldPartition {
  readonly name: string;
  /** The newest sequence in it; 0 when it is empty. */
  readonly newest: bigint;
  /** Whether its entries are too old for followers to be waited for. */
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
 * The partitions of `<schema>.change_log`: one for each day in UTC, the first with everything before
 * there were days, and `change_log_other_days` for days without one. Each has its own primary key,
 * since that of a partitioned table would have to hold the time too.
 */
export class LogPartitions {
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  /** Makes those of the days to come that are missing, and gives their names. */
  async makeAhead(tx: Transaction): Promise<string[]> {
    const extent = await tx.readOne<Extent>(
      `select max(until) as until, now() as now from (${this.#ranges()}) as ranges`,
    );
    if (extent === undefined) throw new TypeError("an aggregate always gives a row");
    const todayMs = Math.floor(extent.now.getTime() / dayMs) * dayMs;
    // What is committed today may be among the other days already, where it would be in the way.
    const beginMs = Math.max(extent.until?.getTime() ?? 0, todayMs + dayMs);
    const made: string[] = [];
    for (let ms = beginMs; ms <= todayMs + daysAhead * dayMs; ms += dayMs) {
      const [from, until] = [ms, ms + dayMs].map((at) => new Date(at).toISOString());
      const name = `change_log_${from?.slice(0, 10).replaceAll("-", "")}`;
      await tx.script(`
        create table ${this.#schema}.${name} partition of ${this.#schema}.change_log
        (primary key (seq)) for values from ('${from}') to ('${until}')`);
      made.push(name);
    }
    return made;
  }

  /** Those that ended longer ago than this, oldest first. */
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

  /** Drops one, and has the log begin after its newest entry. */
  async drop(tx: Transaction, name: string): Promise<void> {
    await tx.write(this.#beginAfter(`select * from ${this.#schema}.${name}`));
    await tx.script(`drop table ${this.#schema}.${name}`);
    // Those that ended before the log begins.
    await tx.write(`
      delete from ${this.#schema}.log_day where first_sequence < (
        select max(first_sequence) from ${this.#schema}.log_day
        where first_sequence <= (select sequence from ${this.#schema}.log_start))`);
  }

  /**
   * Deletes what is older than the retention and not on a day with a partition of its own, but not
   * what is after `passed` unless its grace is over.
   *
   * @returns how many entries
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
