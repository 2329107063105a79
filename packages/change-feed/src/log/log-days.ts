import type { Database } from "@storefront/database";

/** The first sequence of entries committed on a day (UTC). */
interface LogDay {
  first_sequence: bigint;
  /** As `2026-01-31`. */
  day: string;
}

/** The end of a log, in every row of a read: the last day and the newest sequence. */
export interface LogEnd {
  last_first: bigint | null;
  last_day: string | null;
  newest: bigint | null;
}

/** Bounds of `committed_at`. */
type DayBounds = readonly [from: string, until: string];

const dayMs = 86_400_000;
const maxSequence = 2n ** 63n - 1n;

/** Maps sequences to days. */
class LogDays {
  readonly #days: readonly LogDay[];

  /** @param days oldest first; empty when unknown */
  constructor(days: readonly LogDay[]) {
    this.#days = days;
  }

  get ofNewest(): DayBounds {
    return boundsOf(this.#days.slice(-1));
  }

  /**
   * Bounds of the days of an entry and the `count` entries after it, and the exclusive end of their
   * sequences. Includes the next day, since the first may have no later entries.
   */
  after(sequence: bigint, count: number): readonly [...days: DayBounds, before: bigint] {
    const begin = this.#indexOf(sequence);
    const end = Math.max(begin + 1, this.#indexOf(sequence + BigInt(count))) + 1;
    const days = begin < 0 ? [] : this.#days.slice(begin, end);
    return [...boundsOf(days), this.#days[end]?.first_sequence ?? maxSequence];
  }

  /** Whether the log has no later day, and the last one has entries. */
  isUpTo({ last_first, last_day, newest }: LogEnd): boolean {
    const last = this.#days.at(-1);
    if (last === undefined) return last_first === null;
    const isSame = last.first_sequence === last_first && last.day === last_day;
    return isSame && (newest ?? 0n) >= last.first_sequence;
  }

  /** Index of a sequence's day; -1 before the first day. */
  #indexOf(sequence: bigint): number {
    return this.#days.findLastIndex(({ first_sequence: first }) => first <= sequence);
  }
}

/** No bounds: correct for every log, but plans each statement over all partitions. */
const anyDay = new LogDays([]);

/** Restricts reads of a log to the partitions that it needs, by cached days. */
export class LogDayReader {
  readonly #database: Database;
  readonly #statement: string | { name: string; text: string };
  #known: LogDays | undefined;

  constructor(database: Database, schema: string) {
    this.#database = database;
    this.#statement = {
      name: `${schema}.feed.days`,
      text: `select first_sequence, day from ${schema}.log_day order by first_sequence`,
    };
  }

  /**
   * Reads by the cached days; if these are stale, by those in the table; if entries were deleted by hand,
   * over all partitions.
   *
   * @param isWhole whether the first row shows that the days were enough
   */
  async read<Row extends LogEnd>(
    run: (days: LogDays) => Promise<Row[]>,
    isWhole: (row: Row) => boolean,
  ): Promise<readonly [Row, ...Row[]]> {
    for (const days of [this.#known, undefined]) {
      const tried = days ?? (await this.#load());
      const rows = withFirst(await run(tried));
      if (tried.isUpTo(rows[0]) && isWhole(rows[0])) return rows;
    }
    return withFirst(await run(anyDay));
  }

  async #load(): Promise<LogDays> {
    this.#known = new LogDays(await this.#database.read<LogDay>(this.#statement));
    return this.#known;
  }
}

function withFirst<Row>([first, ...others]: Row[]): readonly [Row, ...Row[]] {
  if (first === undefined) throw new TypeError("an outer join always gives a row");
  return [first, ...others];
}

function boundsOf(days: readonly LogDay[]): DayBounds {
  const startsMs = days.map(({ day }) => Date.parse(day));
  if (startsMs.length === 0) return ["-infinity", "infinity"];
  const until = new Date(Math.max(...startsMs) + dayMs);
  return [new Date(Math.min(...startsMs)).toISOString(), until.toISOString()];
}

/** SQL of the last day, as in {@link LogEnd}. */
export function lastDaySql(schema: string): string {
  return `select first_sequence as last_first, day as last_day
    from ${schema}.log_day order by first_sequence desc limit 1`;
}
