import type { Database, Transaction } from "@storefront/database";
import type { LogFollower, LogFollowers } from "../log-followers.ts";
import type { LogPartitions } from "./log-partitions.ts";

/** What a run took away. */
export interface Pruned {
  /** Names of the partitions. */
  readonly dropped: readonly string[];
  /** Entries that were on other days. */
  readonly deletedEntries: number;
  /** Followers that have not read all of it: they resynchronise. */
  readonly leftBehind: readonly string[];
}

/** Where a log is pruned. */
export interface PruneTarget {
  readonly database: Database;
  readonly partitions: LogPartitions;
  readonly followers: LogFollowers;
  /** Runs work in a transaction of its own; false when another replica is at it. */
  readonly alone: (work: (tx: Transaction) => Promise<unknown>) => Promise<boolean>;
}

/**
 * Takes away what is older than the retention and every registered follower has passed, and what is
 * older than the grace too. From the beginning of the log, without holes.
 */
export async function pruneLog(
  { database, partitions, followers, alone }: PruneTarget,
  { retentionDays, followerGraceDays }: LogRetention,
): Promise<Pruned> {
  if (retentionDays === 0) return { dropped: [], deletedEntries: 0, leftBehind: [] };
  const registered = await followers.list();
  const passed = leastOf(registered);
  const dropped: string[] = [];
  let through = 0n;
  for (const old of await partitions.listOld(database, retentionDays, followerGraceDays)) {
    const isAwaited = passed !== undefined && old.newest > passed;
    if (isAwaited && !old.isPastGrace) break;
    if (!(await alone((tx) => partitions.drop(tx, old.name)))) break;
    dropped.push(old.name);
    if (old.newest > through) through = old.newest;
  }
  let deletedEntries = 0;
  await alone(async (tx) => {
    deletedEntries = await partitions.deleteOthers(tx, retentionDays, followerGraceDays, passed);
  });
  const leftBehind = registered.filter(({ sequence }) => sequence < through);
  return { dropped, deletedEntries, leftBehind: leftBehind.map(({ name }) => name) };
}

function leastOf(followers: readonly LogFollower[]): bigint | undefined {
  return followers
    .map(({ sequence }) => sequence)
    .reduce<bigint | undefined>(
      (least, sequence) => (least === undefined || sequence < least ? sequence : least),
      undefined,
    );
}

/** How long the entries of a log are kept. */
export interface LogRetention {
  /** Days for which each entry is kept at least; 0 keeps all for ever. */
  readonly retentionDays: number;
  /** Days more for which entries are kept that a registered follower has not passed. */
  readonly followerGraceDays: number;
}

/** What holds where nothing else is said. */
export const defaultLogRetention: LogRetention = { retentionDays: 30, followerGraceDays: 7 };
