import { tryLock } from "@storefront/database";
import type { Database, Transaction } from "@storefront/database";
import { option, zInteger } from "@storefront/process";
import type { Logger } from "@storefront/process";
import { setTimeout as sleep } from "node:timers/promises";
import { LogFollowers } from "./log-followers.ts";
import { LogPartitions } from "./log-partitions.ts";

/** Rare, because a query keeps a Neon compute from suspending. */
const intervalMs = 6 * 3_600_000;
const retryMs = 60_000;

/** Longest wait of a change of partitions for readers and writers, which queue behind it. */
const lockTimeoutMs = 500;

/** Up to a century: a longer time is a mistaken unit. */
const zDays = zInteger(0, 36_500);

/** Options for the retention of a log's entries. */
export const logRetentionShape = {
  retentionDays: option("LOG_RETENTION_DAYS", zDays.default(30)).describe(
    "Days for which entries of the change log are retained at least, whole days in UTC at a time; 0 retains all.",
  ),
  followerGraceDays: option("LOG_FOLLOWER_GRACE_DAYS", zDays.default(7)).describe(
    "Further days for which entries are retained that a registered follower has not passed. A follower that is later resynchronises.",
  ),
};

const defaultLogRetention = {
  retentionDays: logRetentionShape.retentionDays.parse(undefined),
  followerGraceDays: logRetentionShape.followerGraceDays.parse(undefined),
};

export type LogRetention = Readonly<typeof defaultLogRetention>;

interface LogMaintenanceOptions {
  readonly database: Database;
  /** Schema with `change_log`, `log_start` and `log_follower`. */
  readonly schema: string;
  readonly retention?: LogRetention | undefined;
  readonly logger: Logger;
}

/**
 * Creates partitions for the coming days and deletes old entries, at the start and every 6 hours; after a
 * failure, a minute later. One replica does so at a time.
 */
export class LogMaintenance {
  readonly #options: LogMaintenanceOptions;
  readonly #partitions: LogPartitions;
  readonly #followers: LogFollowers;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: LogMaintenanceOptions) {
    const { database, schema } = options;
    this.#options = options;
    this.#partitions = new LogPartitions(schema);
    this.#followers = new LogFollowers(database, schema);
  }

  /** Starts, after the database is migrated. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends after the current step. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Runs all due maintenance once. */
  async runOnce(): Promise<void> {
    const { schema, logger, retention = defaultLogRetention } = this.#options;
    const created: string[] = [];
    await this.#exclusively(async (tx) =>
      created.push(...(await this.#partitions.createAhead(tx))),
    );
    if (created.length > 0)
      logger.info({ schema, partitions: created }, "created partitions of the log");
    if (retention.retentionDays === 0) return;
    const { dropped, deletedEntries, overtaken } = await this.#prune(retention);
    if (dropped.length === 0 && deletedEntries === 0) return;
    logger.info({ schema, partitions: dropped, deletedEntries }, "deleted old entries of the log");
    if (overtaken.length === 0) return;
    logger.warn(
      { schema, followers: overtaken },
      "deleted entries that followers have not read: their grace period is over, they resynchronise",
    );
  }

  /**
   * Deletes entries older than the retention that every registered follower has passed, and all older than
   * the grace period. From the beginning of the log, without holes.
   *
   * @returns dropped partitions, the number of entries deleted from other days, and followers that have not
   * read all of it: they resynchronise.
   */
  async #prune({ retentionDays, followerGraceDays }: LogRetention) {
    const registered = await this.#followers.list();
    const [passed] = registered
      .map(({ sequence }) => sequence)
      .toSorted((a, b) => (a < b ? -1 : 1));
    const dropped: string[] = [];
    let through = 0n;
    const partitions = this.#partitions;
    const { database } = this.#options;
    for (const old of await partitions.listOld(database, retentionDays, followerGraceDays)) {
      const isAwaited = passed !== undefined && old.newest > passed;
      if (isAwaited && !old.isPastGrace) break;
      if (!(await this.#exclusively((tx) => partitions.drop(tx, old.name)))) break;
      dropped.push(old.name);
      if (old.newest > through) through = old.newest;
    }
    let deletedEntries = 0;
    await this.#exclusively(async (tx) => {
      deletedEntries = await partitions.deleteOthers(tx, retentionDays, followerGraceDays, passed);
    });
    const overtaken = registered.filter(({ sequence }) => sequence < through);
    return { dropped, deletedEntries, overtaken: overtaken.map(({ name }) => name) };
  }

  async #run(): Promise<void> {
    const { schema, logger } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let nextMs = intervalMs;
      try {
        await this.runOnce();
      } catch (err) {
        nextMs = retryMs;
        logger.warn({ err, schema }, "maintenance of the log failed");
      }
      await sleep(nextMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Runs a transaction unless another replica holds the lock; returns whether it ran. */
  async #exclusively(work: (tx: Transaction) => Promise<unknown>): Promise<boolean> {
    const { database, schema } = this.#options;
    const oneAtATime = async (tx: Transaction): Promise<boolean> => {
      if (!(await tryLock(tx, `log maintenance:${schema}`))) return false;
      await tx.script(`set local lock_timeout = ${lockTimeoutMs}`);
      await work(tx);
      return true;
    };
    // Dropping a day of a large import takes longer than the statement limit.
    return await database.transaction(oneAtATime, { isUnlimited: true });
  }
}
