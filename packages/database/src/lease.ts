import type { Queryable } from "./database.ts";

/** A table of leases: one row per key, each held by at most one process. */
interface LeaseTable {
  /** With its schema. It has a nullable column `holder`. */
  readonly table: string;
  readonly keyColumn: string;
  /** Column of the time at which the lease expires. */
  readonly expiryColumn: string;
  /** Lease duration in milliseconds. */
  readonly durationMs: number;
  /** SQL: which rows can be held; default all. */
  readonly isOpen?: string;
  /** SQL: which rows a process can take, given the SQL of free ones; default the free ones. */
  readonly isTakeable?: (isFree: string) => string;
  /** SQL assignments of a process that takes the lease, after a comma; default none. */
  readonly onTake?: string;
}

/** A key and the process that claims it. The holder is a name that no other process ever has. */
export interface LeaseClaim {
  readonly key: string | number;
  readonly holder: string;
}

/**
 * The right to work on something until a time, unless renewed. Work renews its lease in each transaction that writes:
 * that fails after another process has taken it, and locks the row against others until the transaction ends. So the
 * holder's name fences, and no fencing token is needed. Times are those of the database.
 */
export class Lease {
  readonly #options: LeaseTable;
  readonly #isHeld: string;
  readonly #takes: string;

  constructor(options: LeaseTable) {
    const { keyColumn, expiryColumn, isOpen = "true", onTake = "" } = options;
    this.#options = options;
    this.#isHeld = `${keyColumn} = $1 and holder = $2 and ${isOpen}`;
    this.#takes = `holder = $2, ${expiryColumn} = ${endSql(3)} ${onTake}`;
  }

  /**
   * Takes a lease that is free, expired or held already, but not while a transaction has its row locked: then the
   * holder is alive, however long that takes.
   *
   * @returns whether it is held
   */
  async take(queryable: Queryable, { key, holder }: LeaseClaim): Promise<boolean> {
    const { table, keyColumn, expiryColumn, durationMs, isOpen = "true" } = this.#options;
    const { isTakeable = (sql) => sql } = this.#options;
    const isFree = `(holder is null or holder = $2 or ${expiryColumn} <= clock_timestamp())`;
    const { rowCount } = await queryable.write(
      `with free as (
          select ${keyColumn} from ${table}
          where ${keyColumn} = $1 and ${isOpen} and (${isTakeable(isFree)})
          for update skip locked
        )
        update ${table} as lease set ${this.#takes} from free where lease.${keyColumn} = free.${keyColumn}`,
      [key, holder, durationMs],
    );
    return rowCount === 1;
  }

  /** Takes the lease from any holder, after its transaction. */
  async seize(queryable: Queryable, { key, holder }: LeaseClaim): Promise<void> {
    const { table, keyColumn, durationMs } = this.#options;
    const text = `update ${table} set ${this.#takes} where ${keyColumn} = $1`;
    await queryable.write(text, [key, holder, durationMs]);
  }

  /**
   * Renews the lease. In a transaction, no other process can take it before that ends.
   *
   * @param also SQL assignments, after a comma; default none
   * @param values of the parameters from the third on
   * @returns false when it is lost
   */
  async renew(
    queryable: Queryable,
    { key, holder }: LeaseClaim,
    also?: string,
    values: readonly unknown[] = [],
  ): Promise<boolean> {
    const { table, expiryColumn, durationMs } = this.#options;
    const end = endSql(values.length + 3);
    const text = `update ${table} set ${expiryColumn} = ${end} ${also ?? ""} where ${this.#isHeld}`;
    // The one of each step of a follower.
    const statement = also === undefined ? { name: `${table}.renew`, text } : text;
    const parameters = [key, holder, ...values, durationMs];
    return (await queryable.write(statement, parameters)).rowCount === 1;
  }

  /** Releases the lease, so that another process can take it at once. Parameters as in {@link renew}. */
  async release(
    queryable: Queryable,
    { key, holder }: LeaseClaim,
    also = "",
    values: readonly unknown[] = [],
  ): Promise<void> {
    const text = `update ${this.#options.table} set holder = null ${also} where ${this.#isHeld}`;
    await queryable.write(text, [key, holder, ...values]);
  }
}

/** SQL: when a lease ends that is taken or renewed now, for the duration of a parameter. */
function endSql(parameter: number): string {
  return `clock_timestamp() + make_interval(secs => $${parameter}::float8 / 1000)`;
}

/**
 * Renews a lease during work with long pauses between its transactions.
 *
 * @param renew runs once at a time, since it waits for the work's transactions, which lock the lease; does not reject
 */
export async function whileRenewing<Result>(
  renew: () => Promise<void>,
  everyMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  let renewing: Promise<void> | undefined;
  const timer = setInterval(() => {
    renewing ??= renew().finally(() => (renewing = undefined));
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}
