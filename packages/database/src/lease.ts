import type { Queryable, Statement } from "./database.ts";

/** Tables of leases have one row per key, with a nullable column `holder`. */
interface LeaseOptions {
  /** With its schema. */
  readonly table: string;
  readonly keyColumn: string;
  readonly key: string | number;
  /** Unique identifier of the process. */
  readonly holder: string;
  /** Column of the time at which the lease expires. */
  readonly expiryColumn: string;
  readonly durationMs: number;
  /** SQL: whether the process can take the lease, given the SQL of a free one; default when it is free. */
  readonly isTakeable?: (isFree: string) => string;
  /** SQL assignments of a process that takes the lease, after a comma; default none. */
  readonly onTake?: string;
}

/**
 * The right of a process to work on something until a time, unless renewed. Work renews its lease in each transaction
 * that writes: that fails after another process has taken it, and locks the row against others until the transaction
 * ends. So the holder's name fences, and no fencing token is needed. Times are those of the database.
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #takes: string;

  constructor(options: LeaseOptions) {
    const { table, expiryColumn, onTake = "" } = options;
    this.#options = options;
    this.#takes = `update ${table} set holder = $2, ${expiryColumn} = ${endSql(3)} ${onTake}`;
  }

  /**
   * Takes a lease that is free, expired or already held by this process, but not while a transaction has its row
   * locked: then the holder is alive, however long that takes.
   *
   * @returns whether it is held
   */
  async take(queryable: Queryable): Promise<boolean> {
    const { table, keyColumn, expiryColumn, durationMs } = this.#options;
    const { isTakeable = (isFree) => isFree } = this.#options;
    const isFree = `(holder is null or holder = $2 or ${expiryColumn} <= clock_timestamp())`;
    const text = `${this.#takes} where ${keyColumn} = (
      select ${keyColumn} from ${table} where ${keyColumn} = $1 and (${isTakeable(isFree)})
      for update skip locked)`;
    return await this.#write(queryable, text, [durationMs]);
  }

  /** Takes the lease from any holder, after its transaction. */
  async seize(queryable: Queryable): Promise<void> {
    const { keyColumn, durationMs } = this.#options;
    await this.#write(queryable, `${this.#takes} where ${keyColumn} = $1`, [durationMs]);
  }

  /**
   * Renews the lease. In a transaction, no other process can take it before that ends.
   *
   * @param also SQL assignments, after a comma; default none
   * @param values of the parameters from the third on
   * @returns false when it is lost
   */
  async renew(queryable: Queryable, also = "", values: readonly unknown[] = []): Promise<boolean> {
    const { table, keyColumn, expiryColumn, durationMs } = this.#options;
    const text = `update ${table} set ${expiryColumn} = ${endSql(values.length + 3)} ${also}
      where ${keyColumn} = $1 and holder = $2`;
    // Prepared, since each step of a follower renews.
    const statement = also === "" ? { name: `${table}.renew`, text } : text;
    return await this.#write(queryable, statement, [...values, durationMs]);
  }

  /** Releases the lease, so that another process can take it at once. Parameters as in {@link renew}. */
  async release(queryable: Queryable, also = "", values: readonly unknown[] = []): Promise<void> {
    const { table, keyColumn } = this.#options;
    const text = `update ${table} set holder = null ${also} where ${keyColumn} = $1 and holder = $2`;
    await this.#write(queryable, text, values);
  }

  async #write(
    queryable: Queryable,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<boolean> {
    const { key, holder } = this.#options;
    return (await queryable.write(statement, [key, holder, ...values])).rowCount === 1;
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
