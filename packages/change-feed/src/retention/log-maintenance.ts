import { tryLock } from "@storefront/database";
import type { Database, Transaction } from "@storefront/database";
import { option, zInteger } from "@storefront/process";
import type { Logger } from "@storefront/process";
import { setTimeout as sleep } from "node:timers/promises";
import { LogFollowers } from "./log-followers.ts";
import { LogPartitions } from "./log-partitions.ts";

/** Rare, because a Neon compute that is asked cannot suspend. */
const intervalMs = 6 * 3_600_000;
const retryMs = 60_000;

/** Longest that a change of the log's partitions waits for readers and writers, who wait behind it. */
const lockTimeoutMs = 500;

/** Up to a century: what is longer is a mistake of the unit. */
const zDays = zInteger(0, 36_500);

/** Options that say how long the entries of a log are stored. */
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

/** Which log is looked after. */
interface LogMaintenanceOptions {
  readonly database: Database;
  /** Schema with `change_log`, `log_start` and `log_follower`. */
  readonly schema: string;
  readonly retention?: LogRetention | undefined;
  readonly logger: Logger;
}

/**
 * Makes partitions for the days to come and takes old entries away, at the start and every 6 hours;
 * a minute later where that failed. Of several replicas one does it at a time.
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

  /** Begins, once the database is migrated. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends after the step under way. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Does once what is to be done now. */
  async runOnce(): Promise<void> {
    const { schema, logger, retention = defaultLogRetention } = this.#options;
    const made: string[] = [];
    await this.#alone(async (tx) => made.push(...(await this.#partitions.makeAhead(tx))));
    if (made.length > 0) logger.info({ schema, partitions: made }, "made partitions of the log");
    if (retention.retentionDays === 0) return;
    const { dropped, deletedEntries, leftBehind } = await this.#prune(retention);
    if (dropped.length === 0 && deletedEntries === 0) return;
    logger.info(
      { schema, partitions: dropped, deletedEntries },
      "took old entries of the log away",
    );
    if (leftBehind.length === 0) return;
    logger.warn(
      { schema, followers: leftBehind },
      "took entries away that followers have not read: their grace was over, they resynchronise",
    );
  }

  /**
   * Deletes what is older than the retention and every registered follower has passed, and what is
   * older than the grace too. From the beginning of the log, without holes.
   *
   * @returns names of partitions, the number of entries of other days, and followers that have not read all
   *   of it: they resynchronise.
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
      if (!(await this.#alone((tx) => partitions.drop(tx, old.name)))) break;
      dropped.push(old.name);
      if (old.newest > through) through = old.newest;
    }
    let deletedEntries = 0;
    await this.#alone(async (tx) => {
      deletedEntries = await partitions.deleteOthers(tx, retentionDays, followerGraceDays, passed);
    });
    const leftBehind = registered.filter(({ sequence }) => sequence < through);
    return { dropped, deletedEntries, leftBehind: leftBehind.map(({ name }) => name) };
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
        logger.warn({ err, schema }, "the log could not be looked after");
      }
      // Rejects only when it is to end, which the loop looks for.
      await sleep(nextMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Works in a transaction of its own unless another replica is at it; says whether it did. */
  async #alone(work: (tx: Transaction) => Promise<unknown>): Promise<boolean> {
    const { database, schema } = this.#options;
    const oneAtATime = async (tx: Transaction): Promise<boolean> => {
      if (!(await tryLock(tx, `log maintenance:${schema}`))) return false;
      await tx.script(`set local lock_timeout = ${lockTimeoutMs}`);
      await work(tx);
      return true;
    };
    // A day of a large import is not dropped in the time of a statement that somebody waits for.
    return await database.transaction(oneAtATime, { isUnlimited: true });
  }
}
