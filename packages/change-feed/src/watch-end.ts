import { setTimeout as sleep } from "node:timers/promises";
import type { FollowerParts } from "./follower-parts.ts";
import { watchFeed } from "./watch-feed.ts";

/** Between looks at where a log ends, in milliseconds. */
const lookMs = 1_000;

/**
 * Tells the lag where the log ends while entries are missing. The last message that was taken does not show it, because
 * messages wait for those before them. Resolves at the signal, and never rejects.
 */
export async function watchEnd(parts: FollowerParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Rejects at the signal.
    await sleep(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (!parts.lag.isBehind) continue;
    const looked = new AbortController();
    try {
      const ended = AbortSignal.any([signal, looked.signal]);
      for await (const { newestSequence } of watchFeed(parts, { fromNow: true }, ended)) {
        parts.lag.reaches(newestSequence);
        break;
      }
    } catch {
      // The follower's own stream says what is wrong.
    } finally {
      looked.abort();
    }
  }
}
