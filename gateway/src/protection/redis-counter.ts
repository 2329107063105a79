import type { Logger } from "@storefront/telemetry";
import { createCountingWindows, takeFrom, usageOf } from "./counting-windows.ts";
import type { CountingWindow, Usage } from "./counting-windows.ts";
import { connectRedisWindows } from "./redis-windows.ts";
import type { RequestCounter } from "./request-counter.ts";

/** Part of a limit that a gateway admits before Redis knows of it; at least one request. */
const unreportedShare = 0.1;

/** A window that other gateways count in as well. */
interface SharedWindow extends CountingWindow {
  /** Requests that were admitted here, of which Redis is to be told. */
  unsent: number;
  /** Requests of which Redis was told without an answer yet. */
  unanswered: number;
  isReporting: boolean;
}

/**
 * Counts in Redis, for all gateways together, without waiting for it: what a window is known to have
 * left is given here, and reported in the background; the answer tells what the others have given.
 * Redis is asked first only for what goes beyond a tenth of the limit that it has not heard of yet. So
 * all gateways together admit at most a tenth of the limit more for each of them. While Redis cannot
 * be reached, or is slow, each counts by itself.
 *
 * @param url `redis://…` or `rediss://…`
 */
export function createRedisCounter(url: string, windowMs: number, logger: Logger): RequestCounter {
  const redis = connectRedisWindows(url, windowMs, logger);
  const windows = createCountingWindows(windowMs, (endsAtMs): SharedWindow => ({
    count: 0,
    endsAtMs,
    unsent: 0,
    unanswered: 0,
    isReporting: false,
  }));

  /**
   * Tells Redis of what was admitted, and asks it for `cost` more.
   *
   * @returns whether those are admitted; undefined without an answer
   */
  async function exchange(
    client: string,
    window: SharedWindow,
    cost: number,
    limit: number,
  ): Promise<boolean | undefined> {
    const added = window.unsent;
    window.unsent = 0;
    window.unanswered += added;
    const answer = await redis.add(client, added, cost, limit);
    // Also without an answer: told again, it might count twice.
    window.unanswered -= added;
    if (answer === undefined) return undefined;
    // Answers come in order: what is unanswered still was sent later.
    window.count = answer.count + window.unsent + window.unanswered;
    window.endsAtMs = performance.now() + answer.endsInMs;
    return answer.isAdmitted;
  }

  async function report(client: string, window: SharedWindow, limit: number): Promise<void> {
    if (window.isReporting) return;
    window.isReporting = true;
    // What is admitted meanwhile is told next, so that a client has one command under way.
    while (window.unsent > 0) await exchange(client, window, 0, limit);
    window.isReporting = false;
  }

  async function ask(
    client: string,
    window: SharedWindow,
    cost: number,
    limit: number,
  ): Promise<Usage> {
    const isAdmitted = await exchange(client, window, cost, limit);
    return isAdmitted === undefined
      ? takeFrom(windows.at(client), cost, limit)
      : usageOf(window, isAdmitted, limit);
  }

  return {
    take(client, cost, limit) {
      const window = windows.at(client);
      const isRefused = window.count + cost > limit;
      if (isRefused || !redis.isReachable()) return takeFrom(window, cost, limit);
      const unreportedMax = Math.max(1, Math.floor(limit * unreportedShare));
      if (window.unsent + window.unanswered + cost > unreportedMax) {
        return ask(client, window, cost, limit);
      }
      window.unsent += cost;
      const usage = takeFrom(window, cost, limit);
      void report(client, window, limit);
      return usage;
    },
    close: () => redis.close(),
  };
}
