import type { Database } from "@storefront/database";
import type { Logger } from "@storefront/telemetry";
import { BackgroundLoop, idleMs } from "../indexing/background-loop.ts";
import type { Pause } from "../indexing/background-loop.ts";
import { findMembers, savedQueryOf } from "./query-watches.ts";
import type { FollowingDependencies } from "./query-watches.ts";

/** What followed queries are compared with. */
export interface WatchDependencies extends FollowingDependencies {
  readonly database: Database;
  /** Told when something has entered or left a query. */
  readonly onEvents: () => void;
}

const retryMs = 5_000;
/** Between looks at whether another process has changed the index, and ended before it compared. */
const lookMs = 5_000;

/**
 * Compares a followed query that is due with what it found last.
 *
 * @returns whether there was one.
 */
export async function compareNext(deps: WatchDependencies): Promise<boolean> {
  const { queries, watches, onEvents } = deps;
  const due = await watches.claimDue();
  if (due === undefined) return false;
  try {
    const bytes = await queries.get(due.queryId);
    if (bytes === undefined) {
      await watches.remove(due.number);
      return true;
    }
    const members = await findMembers(deps.engine, savedQueryOf(bytes), due.region);
    const events = await watches.store(due, members);
    if (events !== undefined && events > 0) onEvents();
    return true;
  } catch (error) {
    await watches.postpone(due);
    throw error;
  }
}

/** Compares followed queries whenever the index has changed, for half of the time at most. */
export function createWatchLoop(deps: WatchDependencies, logger: Logger): BackgroundLoop {
  return new BackgroundLoop(deps.database.polling, async (signal): Promise<Pause> => {
    try {
      const startMs = performance.now();
      if (await compareNext(deps)) {
        return { ms: Math.ceil(performance.now() - startMs), isIdle: false };
      }
      const { isAnyFollowed, dueInMs } = await deps.watches.next();
      if (!isAnyFollowed) return { ms: idleMs, isIdle: true };
      if (dueInMs === undefined) return { ms: lookMs, isIdle: true };
      return { ms: Math.min(Math.max(dueInMs, 10), lookMs), isIdle: true, isDue: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "followed queries cannot be compared now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
