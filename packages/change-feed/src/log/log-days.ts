import type { Database } from "@storefront/database";

/** On which day (UTC) entries were committed, from a sequence to that of the next day. */
interface LogDay {
  first_sequence: bigint;
  /** As `2026-01-31`. */
  day: string;
}

/** How a log ends, as what is read of it says in every row: the last of the days and the newest sequence. */
export interface LogEnd {
  last_first: bigint | null;
  last_day: string | null;
  newest: bigint | null;
}

/** Days as bounds of `committed_at`. */
type DayBounds = readonly [from: string, until: string];

const dayMs = 86_400_000;
const maxSequence = 2n ** 63n - 1n;

/** In which days of a log its entries are. */
class LogDays {
  readonly #days: readonly LogDay[];

  /** @param days oldest first; none when it is not known */
  constructor(days: readonly LogDay[]) {
    this.#days = days;
  }

  get ofNewest(): DayBounds {
    return boundsOf(this.#days.slice(-1));
  }

  /**
   * Days of the entry at a sequence and of so many that follow, and the sequence before which those are.
   * The next day is always one of them, since the first may have nothing that follows.
   */
  after(sequence: bigint, count: number): readonly [...days: DayBounds, before: bigint] {
    const begin = this.#indexOf(sequence);
    const end = Math.max(begin + 1, this.#indexOf(sequence + BigInt(count))) + 1;
    const days = begin < 0 ? [] : this.#days.slice(begin, end);
    return [...boundsOf(days), this.#days[end]?.first_sequence ?? maxSequence];
  }

  /** Whether the log has no later day, and an entry in the last. */
  isUpTo({ last_first, last_day, newest }: LogEnd): boolean {
    const last = this.#days.at(-1);
    if (last === undefined) return last_first === null;
    const isSame = last.first_sequence === last_first && last.day === last_day;
    return isSame && (newest ?? 0n) >= last.first_sequence;
  }

  /** Of the day that a sequence is of; -1 where that is before the first. */
  #indexOf(sequence: bigint): number {
    return this.#days.findLastIndex(({ first_sequence: first }) => first <= sequence);
  }
}

/** Everywhere: what holds for every log, and makes each statement be planned over all its partitions. */
const anyDay = new LogDays([]);

/** Reads a log where its entries are, which it keeps in mind. */
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
   * Reads by the days in memory; if these are old, by those in the table; if entries were deleted by hand, over all
   * partitions.
   *
   * @param isWhole whether a row, the first, says that the days had what was to be found
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

/** SQL for the last of the days, as in {@link LogEnd}. */
export function lastDaySql(schema: string): string {
  return `select first_sequence as last_first, day as last_day
    from ${schema}.log_day order by first_sequence desc limit 1`;
}
